//EXPECT: UNKNOWN
//REASON: was freed before
// Freed twice.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    free(p);
    free(p);
}
