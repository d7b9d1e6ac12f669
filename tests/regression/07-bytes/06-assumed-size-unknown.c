//EXPECT: UNKNOWN
//REASON: a bound of the model was reached
// The size may be larger than what the model has room for.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 1000);
    int a[n];
    a[n - 1] = 5;
    assert(a[n - 1] == 5);
}
