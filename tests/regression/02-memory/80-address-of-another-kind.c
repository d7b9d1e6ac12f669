//EXPECT: UNKNOWN
//REASON: address of freed memory
// What was freed may come back from any allocation, of whatever type and size.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    uintptr_t before = (uintptr_t)p;
    free(p);
    long *q = malloc(4 * sizeof *q);
    assert((uintptr_t)q != before);
}
