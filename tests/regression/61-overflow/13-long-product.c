//EXPECT: UNKNOWN
//REASON: signed overflow at
// The square of 3037000500 is larger than the largest 64-bit number.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    long long n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 1500);
    n = (3037000500LL - 1500 + n) * (3037000500LL - 1500 + n);
    assert(n > 0);
}
