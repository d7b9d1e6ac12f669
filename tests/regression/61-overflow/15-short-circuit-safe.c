//EXPECT: SAFE
// The sum is computed only where it fits.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    assert(n == INT_MAX || n + 1 > n);
    int next = n < INT_MAX ? n + 1 : n;
    assert(next >= n);
}
