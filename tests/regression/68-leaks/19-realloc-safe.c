//EXPECT: SAFE
//ARGS: --check leaks --allocation-may-fail
#include <stdlib.h>

int *items;

int main(void)
{
    items = malloc(2 * sizeof *items);
    int *more = realloc(items, 4 * sizeof *items);
    if (more)
        items = more;
    free(items);
    return 0;
}
