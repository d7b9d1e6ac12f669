//EXPECT: SAFE
// The second allocation may be what the first one freed: it is as good as a new one.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof *a);
    *a = 1;
    free(a);
    int *b = malloc(sizeof *b);
    *b = 2;
    assert(*b == 2);
}
