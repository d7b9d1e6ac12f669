//EXPECT: UNKNOWN
//ARGS: --allocation-may-fail
//REASON: a null pointer is dereferenced
// Writing through NULL is undefined behaviour.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 7;
    assert(*p == 7);
}
