//EXPECT: SAFE
// Every other number has its negative.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n != INT_MIN);
    if (n < 0) n = -n;
    assert(n >= 0);
}
