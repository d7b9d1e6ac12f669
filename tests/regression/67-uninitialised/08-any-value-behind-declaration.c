//EXPECT: UNSAFE
//ARGS: --check assertions
//REASON: seen == 1
// As the program is asked, a variable without value has any: not the one that another of its name had a round before.
#include <assert.h>

int main(void) {
    for (int round = 0; round < 2; round++) {
        switch (round) {
            int seen;
        case 0:
            seen = 1;
            break;
        default:
            assert(seen == 1);
        }
    }
    return 0;
}
