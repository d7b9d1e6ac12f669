//EXPECT: UNKNOWN
//REASON: undefined
// A write behind the allocation.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof *p);
    if (!p) return 0;
    p[2] = 1;
}
