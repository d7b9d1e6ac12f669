//EXPECT: SAFE
// Loops, break, continue, do-while.
#include <assert.h>

int main(void)
{
    int sum = 0, i;
    for (i = 0; i < 10; i++) {
        if (i == 3) continue;
        if (i == 6) break;
        sum += i;
    }
    assert(sum == 12 && i == 6);
    do sum--;
    while (sum > 20);
    assert(sum == 11);
    while (sum) sum--;
    assert(sum == 0);
}
