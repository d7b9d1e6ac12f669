//EXPECT: SAFE
// realloc keeps the contents, of the smaller size when it shrinks, and frees the old object.
#include <assert.h>
#include <stdlib.h>

extern void *reallocarray(void *, size_t, size_t);

int main(void)
{
    int *p = malloc(2 * sizeof(int));
    p[0] = 1;
    p[1] = 2;
    p = realloc(p, 3 * sizeof(int));
    p[2] = 3;
    assert(p[0] == 1 && p[1] == 2 && p[2] == 3);
    p = reallocarray(p, 1, sizeof(int));
    assert(p[0] == 1);
    int *q = realloc(0, sizeof(int));
    *q = 5;
    assert(p != q && p[0] == 1);
    free(p);
    free(q);
}
