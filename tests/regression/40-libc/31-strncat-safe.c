//EXPECT: SAFE
// strncat appends at most so many characters and a zero.
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[6] = "ab";
    strncat(text, "xyz", 2);
    assert(text[2] == 'x' && text[3] == 'y' && text[4] == 0);
    return 0;
}
