//EXPECT: UNSAFE
// The error is reached only if realloc and reallocarray keep the contents.
#include <assert.h>
#include <stdlib.h>

extern void *reallocarray(void *, size_t, size_t);

int main(void)
{
    int *p = malloc(2 * sizeof(int));
    p[0] = 1;
    p[1] = 2;
    p = reallocarray(p, 4, sizeof(int));
    if (p[0] != 1) return 0;
    p = realloc(p, 2 * sizeof(int));
    assert(p[1] != 2);
}
