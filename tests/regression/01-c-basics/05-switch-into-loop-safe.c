//EXPECT: SAFE
// A switch that jumps into a loop (Duff's device).
#include <assert.h>

int main(void)
{
    int n = 5, steps = 0, rounds = (n + 1) / 2;
    switch (n % 2) {
    case 0:
        do {
            steps++;
    case 1: steps++;
        } while (--rounds > 0);
    }
    assert(steps == 5);
}
