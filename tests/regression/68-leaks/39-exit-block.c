//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: Memory can leak
// The block has ended, and its variable with it.
#include <stdlib.h>

int main(void)
{
    {
        int *mine = malloc(sizeof *mine);
        *mine = 1;
    }
    exit(0);
}
