//EXPECT: UNSAFE
// A header and an array of `short` in one allocation.
#include <assert.h>
#include <stdlib.h>

struct header {
    int length;
    int kind;
};

int main(void)
{
    struct header *header = malloc(sizeof *header + 4 * sizeof(short));
    header->length = 4;
    header->kind = 1;
    short *numbers = (short *)(header + 1);
    for (int i = 0; i < 4; i++)
        numbers[i] = i;
    assert(numbers[3] == 2 && header->length == 4 && header->kind == 1);
    free(header);
}
