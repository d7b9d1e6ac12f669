//EXPECT: UNSAFE
// isdigit promises a number that is not zero, not the number one.
#include <assert.h>
#include <ctype.h>

int main(void)
{
    assert(isdigit('5') == 1);
    return 0;
}
