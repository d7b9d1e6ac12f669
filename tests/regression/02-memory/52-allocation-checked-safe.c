//EXPECT: SAFE
//ARGS: --allocation-may-fail
// NULL is looked for; a `realloc` that fails leaves the old object as it is.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 7;
    int *q = realloc(p, 2 * sizeof *p);
    if (!q) {
        assert(*p == 7);
        free(p);
        return 1;
    }
    assert(*q == 7);
    free(q);
    return 0;
}
