//EXPECT: SAFE
//ARGS: --check memory,leaks
// The pointer that walks over the spaces is another one.
#include <stdlib.h>

static char *text;

int main(void)
{
    text = malloc(4);
    text[0] = ' ';
    text[1] = 'a';
    text[2] = 'b';
    text[3] = '\0';
    char *word = text;
    while (*word == ' ')
        word++;
    free(text);
    return 0;
}
