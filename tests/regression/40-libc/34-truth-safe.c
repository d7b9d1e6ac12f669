//EXPECT: SAFE
// The functions of <ctype.h>, through the header.
#include <assert.h>
#include <ctype.h>

int main(void)
{
    assert(isdigit('5') && !isdigit('x') && isalnum('q') && !isgraph(' '));
    assert(toupper('a') == 'A' && tolower('Z') == 'z');
    return 0;
}
