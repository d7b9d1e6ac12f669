//EXPECT: UNSAFE
// All other quotients fit.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > INT_MIN && d != 0);
    assert(n / d < INT_MAX);
}
