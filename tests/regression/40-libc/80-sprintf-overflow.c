//EXPECT: UNKNOWN
//REASON: undefined behaviour may happen
// Three characters and the end need four bytes.
#include <stdio.h>

int main(void)
{
    char text[3];
    sprintf(text, "%d", 100);
}
