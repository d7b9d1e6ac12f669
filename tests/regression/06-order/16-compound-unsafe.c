//EXPECT: UNSAFE
// `x` may be read before the call changes it: the effect of the call is lost.
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
    x += plus();
    assert(x == 8);
}
