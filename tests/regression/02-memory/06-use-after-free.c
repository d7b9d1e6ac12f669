//EXPECT: UNKNOWN
//REASON: used after it was freed
// A read of freed memory.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 1;
    free(p);
    return *p;
}
