//EXPECT: SAFE
//ARGS: --property memsafety.prp
//REASON: No memory error can happen, and no memory can leak
// What is still pointed to when the program ends is tracked.
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    *kept = 1;
    return 0;
}
