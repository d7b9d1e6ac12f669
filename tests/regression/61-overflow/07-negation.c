//EXPECT: UNKNOWN
//REASON: signed overflow at
// There is no positive number as large as the smallest one.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0) n = -n;
    assert(n >= 0);
}
