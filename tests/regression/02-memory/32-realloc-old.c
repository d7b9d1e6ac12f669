//EXPECT: UNKNOWN
//REASON: used after it was freed
// The old object is gone.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    int *q = realloc(p, 2 * sizeof(int));
    *p = 1;
}
