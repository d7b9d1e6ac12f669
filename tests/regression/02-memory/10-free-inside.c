//EXPECT: UNKNOWN
//REASON: not the start of an allocation
// Only the beginning of an allocation can be freed.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof *p);
    if (p) free(p + 1);
}
