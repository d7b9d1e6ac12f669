//EXPECT: UNSAFE
//ARGS: --check leaks --allocation-may-fail
//REASON: Memory can leak
// `realloc` may fail, and then the old memory is still there, without a pointer to it.
#include <stdlib.h>

int *items;

int main(void)
{
    items = malloc(2 * sizeof *items);
    items = realloc(items, 4 * sizeof *items);
    free(items);
    return 0;
}
