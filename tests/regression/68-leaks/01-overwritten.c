//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: Memory can leak: nothing points to allocated memory any more: `heap@12`, 4 bytes
//REASON: allocated by thread main
// The first allocation is overwritten by the second.
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    kept = malloc(sizeof *kept);
    free(kept);
    return 0;
}
