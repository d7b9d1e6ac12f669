//EXPECT: UNKNOWN
//REASON: used after it was freed
// `puts` reads the text.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = malloc(2);
    text[0] = 'a';
    text[1] = 0;
    puts(text);
    free(text);
    puts(text);
}
