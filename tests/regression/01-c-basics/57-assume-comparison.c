//EXPECT: UNSAFE
// The comparison is 1.
#include <assert.h>

extern void __VERIFIER_assume(int);

long number = 1L << 32;

int main(void)
{
    __VERIFIER_assume(number != 0);
    assert(0);
}
