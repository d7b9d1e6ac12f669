//EXPECT: SAFE
// All indices are inside the array.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int t[3];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3) t[i] = 1;
    assert(t[0] + t[1] + t[2] <= 1);
}
