//EXPECT: UNSAFE
// strncat appends no more than it is told to.
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[6] = "ab";
    strncat(text, "xyz", 2);
    assert(strlen(text) == 5);
    return 0;
}
