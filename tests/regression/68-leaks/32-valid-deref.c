//EXPECT: UNSAFE
//ARGS: --property memsafety.prp
//REASON: memory: UNSAFE
//REASON: Violated: valid-deref
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    free(kept);
    return *kept;
}
