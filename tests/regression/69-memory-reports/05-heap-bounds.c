//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an access outside the bounds of an object: 4 bytes at offset 12 of `heap@9`, which has 12 bytes
//REASON: allocated by thread main at
#include <stdlib.h>

int main(void)
{
    int *items = malloc(3 * sizeof *items);
    for (int i = 0; i <= 3; i++)
        items[i] = i;
    free(items);
    return 0;
}
