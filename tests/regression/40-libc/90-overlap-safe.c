//EXPECT: SAFE
//ARGS: --check assertions,undefined
// `memmove` may overlap; halves of one array lie apart; nothing overlaps nothing.
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[4] = "abc";
    memmove(text + 1, text, 3);
    assert(text[0] == 'a' && text[1] == 'a' && text[3] == 'c');
    memcpy(text + 2, text, 2);
    memcpy(text, text + 2, 2);
    memcpy(text, text, 0);
    assert(text[2] == 'a' && text[3] == 'a');
}
