//EXPECT: UNKNOWN
//REASON: used after it was freed
// memset writes to memory that was freed.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    free(p);
    memset(p, 0, sizeof(int));
}
