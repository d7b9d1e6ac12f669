//EXPECT: SAFE
//ARGS: --check assertions,undefined
// A loop by `goto`: in each round, the value is the one of the round before.
#include <assert.h>

int main(void) {
    int sum, round = 0;
next:
    if (round == 0)
        sum = 0;
    sum += round;
    round++;
    if (round < 3)
        goto next;
    assert(sum == 3);
    return 0;
}
