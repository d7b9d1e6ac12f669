//EXPECT: SAFE
// Neither the difference nor the sum overflows, since 0 <= low <= high.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= low && low <= high);
    int middle = low + (high - low) / 2;
    assert(low <= middle && middle <= high);
}
