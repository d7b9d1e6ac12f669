//EXPECT: UNSAFE
// What is allocated has no value yet, also where it was in use before.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof *a);
    *a = 1;
    free(a);
    int *b = malloc(sizeof *b);
    *b = 2;
    int *c = malloc(sizeof *c);
    *c = 3;
    assert(*b == 3);
}
