//EXPECT: SAFE
//ARGS: --check leaks
// What is overwritten was freed before; what a global points to at the end is no leak.
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    free(kept);
    kept = malloc(sizeof *kept);
    return 0;
}
