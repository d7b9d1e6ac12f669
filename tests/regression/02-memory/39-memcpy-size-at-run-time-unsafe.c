//EXPECT: UNSAFE
// memcpy copies as much as it is told.
#include <assert.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int a[3] = {1, 2, 3}, b[3] = {4, 5, 6};
    memcpy(b, a, (2 + __VERIFIER_nondet_bool()) * sizeof(int));
    assert(b[2] == 6);
}
