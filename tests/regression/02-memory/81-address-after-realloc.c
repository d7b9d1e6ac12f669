//EXPECT: UNKNOWN
//REASON: address of freed memory
// `realloc` may leave the object where it is, or move it.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    uintptr_t before = (uintptr_t)p;
    int *q = realloc(p, 2 * sizeof *q);
    assert((uintptr_t)q == before);
}
