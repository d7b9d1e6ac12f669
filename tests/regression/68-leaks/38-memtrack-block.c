//EXPECT: UNSAFE
//ARGS: --property memsafety.prp
//REASON: Violated: valid-memtrack
// The block has ended, and its variable with it.
#include <stdlib.h>

int main(void)
{
    {
        int *mine = malloc(sizeof *mine);
        *mine = 1;
    }
    return 0;
}
