//EXPECT: UNSAFE
// Nothing overflows, and the middle of two neighbours is the lower one.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int low = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= low && low < 1000);
    int high = low + 1, middle = (low + high) / 2;
    assert(low < middle);
}
