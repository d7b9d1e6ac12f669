//EXPECT: UNSAFE
//ARGS: --property memsafety.prp
//REASON: memory: UNSAFE
//REASON: Violated: valid-free
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    free(kept);
    free(kept);
    return 0;
}
