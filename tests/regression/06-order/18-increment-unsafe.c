//EXPECT: UNSAFE
// The call may be first.
#include <assert.h>

int x = 1;

int twice(void)
{
    x = 2 * x;
    return x;
}

int plus(void)
{
    x = x + 3;
    return x;
}

int main(void)
{
    assert(x++ + plus() == 6);
}
