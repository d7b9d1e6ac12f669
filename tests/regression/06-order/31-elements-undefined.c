//EXPECT: UNKNOWN
//REASON: an object is changed while the same expression uses or changes it
// `a[i]++ + a[j]++` is undefined where i == j.
#include <assert.h>

int a[3];
int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int() == 1, j = __VERIFIER_nondet_int() == 1;
    a[i]++ + a[j]++;
}
