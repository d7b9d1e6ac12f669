//EXPECT: UNKNOWN
//REASON: outside the bounds of an object
// A write behind the allocation.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof *p);
    if (!p) return 0;
    p[2] = 1;
}
