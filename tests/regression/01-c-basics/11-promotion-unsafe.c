//EXPECT: UNSAFE
// A comparison of signed and unsigned is unsigned.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned limit = 10;
    if (n < 10) assert(n < limit);
}
