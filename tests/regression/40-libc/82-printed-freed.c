//EXPECT: UNKNOWN
//REASON: used after it was freed
// `%s` reads the text, also if nobody looks at how long it is.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = malloc(2);
    text[0] = 'a';
    text[1] = 0;
    free(text);
    printf("%s\n", text);
}
