//EXPECT: SAFE
//ARGS: --check assertions,overflow
//REASON: No error can be reached, and no signed arithmetic can overflow
// One proof answers both questions.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 6)
        return 0;
    assert(x != 7);
    int next = x + 1;
    return next > x;
}
