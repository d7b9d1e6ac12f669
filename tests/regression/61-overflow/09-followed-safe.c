//EXPECT: SAFE
//REASON: Assumed: signed overflow, which can happen, gives some value.
// Whatever the sum is when it overflows, the assertion is not about it.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int sum = 0, last = 0;
    while (__VERIFIER_nondet_int()) {
        last = __VERIFIER_nondet_int();
        __VERIFIER_assume(last > 0);
        sum = sum + last;
    }
    assert(last >= 0);
}
