//EXPECT: UNSAFE
// Any element may be the one that is written.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int t[3];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3) t[i] = 1;
    assert(t[1] == 0);
}
