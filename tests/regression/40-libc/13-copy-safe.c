//EXPECT: SAFE
// strcpy, strncpy, strcat, strchr.
#include <assert.h>
#include <string.h>

int main(void)
{
    char b[6] = {9, 9, 9, 9, 9, 9};
    strcpy(b, "a");
    assert(b[0] == 'a' && b[1] == 0 && b[2] == 9);
    strcat(b, "cd");
    assert(b[1] == 'c' && b[2] == 'd' && b[3] == 0 && b[4] == 9);
    assert(strchr(b, 'd') == b + 2 && strchr(b, 'y') == 0);
    strncpy(b, "x", 2);
    assert(b[0] == 'x' && b[1] == 0 && b[2] == 'd');
}
