//EXPECT: UNSAFE
//ARGS: --property memsafety.prp
//REASON: memory: SAFE
//REASON: leaks: UNSAFE
//REASON: Violated: valid-memtrack
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    kept = 0;
    return 0;
}
