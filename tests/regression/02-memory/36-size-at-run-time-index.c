//EXPECT: UNKNOWN
//REASON: outside the bounds of an object
// One element too far, though the model has room for it.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int n = 2 + __VERIFIER_nondet_bool();
    int *p = malloc(n * sizeof(int));
    p[n] = 1;
}
