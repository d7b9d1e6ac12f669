//EXPECT: SAFE
// A loop whose bound is an input ends exactly there: proved, not unrolled.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    int x = 0;
    while (x < n)
        x++;
    assert(x == n);
}
