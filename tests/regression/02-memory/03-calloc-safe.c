//EXPECT: SAFE
// What calloc returns is zero.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = calloc(3, sizeof *p);
    if (!p) return 0;
    assert(p[0] == 0 && p[2] == 0);
    free(p);
    free(0);
}
