//EXPECT: UNKNOWN
//REASON: signed overflow at
// gcc makes this true; a compiler that wraps around makes it false.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    assert(n + 1 > n);
}
