//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: 1 byte at offset 4 of `heap@13`, which has 4 bytes
//SANITIZER: heap-buffer-overflow
// The copy of a string needs room for the zero at its end.
#include <stdlib.h>

static const char *name = "rely";

static char *copy_of(const char *text, unsigned length)
{
    unsigned i;
    char *copy = malloc(4);
    for (i = 0; i < length; i++)
        copy[i] = text[i];
    copy[i] = '\0';
    return copy;
}

int main(void)
{
    char *copy = copy_of(name, 4);
    free(copy);
    return 0;
}
