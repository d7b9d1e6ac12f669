//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: overlaps
// C11 7.24.2.1: what `memcpy` copies must not overlap where it goes; a compiler may copy in any order.
#include <string.h>

int main(void)
{
    char text[4] = "abc";
    memcpy(text + 1, text, 3);
    return text[3];
}
