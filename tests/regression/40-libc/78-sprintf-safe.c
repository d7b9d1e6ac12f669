//EXPECT: SAFE
// The text in the buffer follows from the format and the arguments; `snprintf` keeps to the size.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char text[16] = "";
    assert(sprintf(text, "%d:%04X", -12, 0xabu) == 8);
    assert(text[0] == '-' && text[2] == '2' && text[3] == ':' && text[4] == '0' && text[6] == 'A' && text[8] == 0);
    char small[4] = "";
    assert(snprintf(small, sizeof small, "%s", "hello") == 5);
    assert(small[0] == 'h' && small[2] == 'l' && small[3] == 0);
    assert(snprintf(0, 0, "%s-%c", "ab", 'c') == 4);
}
