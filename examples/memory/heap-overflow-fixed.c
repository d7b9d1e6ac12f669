//EXPECT: SAFE
//ARGS: --check memory
// The copy of a string needs room for the zero at its end.
#include <stdlib.h>

static const char *name = "rely";

static char *copy_of(const char *text, unsigned length)
{
    unsigned i;
    char *copy = malloc(5);
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
