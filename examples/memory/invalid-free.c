//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: it is 1 byte behind the start of `heap@12`
//SANITIZER: attempting free on address which was not malloc
// The pointer that walks over the spaces is not the one to free.
#include <stdlib.h>

static char *text;

int main(void)
{
    text = malloc(4);
    text[0] = ' ';
    text[1] = 'a';
    text[2] = 'b';
    text[3] = '\0';
    while (*text == ' ')
        text++;
    free(text);
    return 0;
}
