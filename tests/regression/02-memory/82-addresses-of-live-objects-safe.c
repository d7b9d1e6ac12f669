//EXPECT: SAFE
// Objects that are alive at the same time have different addresses, whatever was freed before.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    long *q = malloc(sizeof *q);
    assert((void *)p != (void *)q);
    free(p);
    long *r = malloc(sizeof *r);
    assert(r != q);
}
