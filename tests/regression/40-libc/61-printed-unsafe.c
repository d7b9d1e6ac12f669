//EXPECT: UNSAFE
// How long a number is depends on the number.
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    assert(printf("%d", __VERIFIER_nondet_int()) == 1);
}
