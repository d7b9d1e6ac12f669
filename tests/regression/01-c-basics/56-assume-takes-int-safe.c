//EXPECT: SAFE
//VACUOUS: what is assumed never holds
// `__VERIFIER_assume` takes an `int`: the lower 32 bits of the number are zero.
#include <assert.h>

extern void __VERIFIER_assume(int);

long number = 1L << 32;

int main(void)
{
    __VERIFIER_assume(number);
    assert(0);
}
