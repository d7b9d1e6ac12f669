//EXPECT: SAFE
//ARGS: --check leaks
// That of `main` is there until the program ends.
#include <stdlib.h>

static __thread int *cache;

int main(void)
{
    cache = malloc(sizeof *cache);
    *cache = 1;
    return 0;
}
