//EXPECT: UNKNOWN
//REASON: signed overflow at
// If the quotient does not fit, the remainder is undefined, too (C11 6.5.5p6).
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = INT_MIN, d = __VERIFIER_nondet_int();
    __VERIFIER_assume(d == -1);
    n = n % d;
    assert(n == 0);
}
