//EXPECT: UNSAFE
// What realloc adds is not initialised.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = calloc(1, sizeof(int));
    p = realloc(p, 2 * sizeof(int));
    assert(p[0] == 0 && p[1] == 0);
}
