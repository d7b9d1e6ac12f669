//EXPECT: UNKNOWN
//ARGS: --signed-overflow wrap
//REASON: signed overflow at
// `-fwrapv` is about sums, differences and products: a division still traps.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = INT_MIN, d = __VERIFIER_nondet_int();
    __VERIFIER_assume(d == -1);
    n = n / d;
    assert(0);
}
