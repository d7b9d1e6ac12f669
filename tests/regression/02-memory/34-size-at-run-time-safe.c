//EXPECT: SAFE
// Allocations whose size the program computes: every index below the size is inside.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int n = __VERIFIER_nondet_bool() ? 3 : 5;
    int *p = malloc(n * sizeof(int)), *q = calloc(n, sizeof(int));
    memset(p, 0, n * sizeof(int));
    p[n - 1] = n;
    assert(p[0] == 0 && q[n - 1] == 0);
    n++;
    p = realloc(p, n * sizeof *p);
    p[n - 1] = 7;
    memcpy(q, p, 3 * sizeof(int));
    assert(p[n - 2] == n - 1 && q[0] == 0);
    free(p);
    free(q);
}
