//EXPECT: UNSAFE
//ARGS: --allocation-may-fail
// `malloc` may return NULL.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    assert(p);
}
