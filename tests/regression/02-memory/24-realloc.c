//EXPECT: UNKNOWN
//REASON: a call of `realloc`
// realloc is not modelled yet; it would keep what was there.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 5;
    int *q = realloc(p, 2 * sizeof *q);
    if (!q) return 0;
    assert(q[0] == 5);
    q[1] = 6;
    free(q);
}
