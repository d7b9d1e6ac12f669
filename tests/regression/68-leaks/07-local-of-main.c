//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: Memory can leak
// When `main` has returned, its variables are gone.
#include <stdlib.h>

int main(void)
{
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    return 0;
}
