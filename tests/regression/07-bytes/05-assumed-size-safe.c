//EXPECT: SAFE
// The size is any number that the assumption allows: at most 12 bytes, whatever the bounds of the model are.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 3);
    int a[n];
    a[n - 1] = 5;
    assert(a[n - 1] == 5);
}
