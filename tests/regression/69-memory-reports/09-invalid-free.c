//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: what is freed is not the start of an allocation: it is 4 bytes behind the start of `heap@9`
#include <stdlib.h>

int main(void)
{
    int *items;
    items = malloc(3 * sizeof *items);
    items++;
    free(items);
    return 0;
}
