//EXPECT: SAFE
// ... and only there.
#include <assert.h>

int a[3];
int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int() == 1, j = 1 - i;
    a[i]++ + a[j]++;
    assert(a[0] == 1 && a[1] == 1);
}
