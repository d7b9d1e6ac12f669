//EXPECT: UNSAFE
// A failure before the unsupported place is still found.
#include <assert.h>

extern void mystery(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    assert(n != 3);
    mystery();
}
