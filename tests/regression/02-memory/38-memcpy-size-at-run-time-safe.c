//EXPECT: SAFE
// memset and memcpy stop at their size.
#include <assert.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int a[3] = {1, 2, 3}, b[3] = {4, 5, 6};
    int n = 1 + __VERIFIER_nondet_bool();
    memcpy(b, a, n * sizeof(int));
    assert(b[0] == 1 && b[1] == (n == 2 ? 2 : 5) && b[2] == 6);
    memset(a, 0, n * sizeof(int));
    assert(a[0] == 0 && a[1] == (n == 2 ? 0 : 2) && a[2] == 3);
}
