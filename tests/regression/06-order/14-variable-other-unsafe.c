//EXPECT: UNSAFE
// gcc reads `x` after the call.
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
    assert(x + plus() == 5);
}
