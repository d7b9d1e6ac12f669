//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Each case writes what it reads; a jump back does not leave the block.
#include <assert.h>

int main(void) {
    int rounds = 0;
    switch (1) {
        int seen;
    case 1:
        seen = 1;
    again:
        assert(seen == 1 + rounds);
        if (rounds < 2) {
            rounds++;
            seen++;
            goto again;
        }
    }
    return 0;
}
