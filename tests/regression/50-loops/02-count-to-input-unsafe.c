//EXPECT: UNSAFE
// A loop whose bound is an input may be negative: then the loop does not run.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int x = 0;
    while (x < n)
        x++;
    assert(x == n);
}
