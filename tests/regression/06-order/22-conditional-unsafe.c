//EXPECT: UNSAFE
// `x` may be read between the two calls.
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
    int sum = (twice() && plus()) + 10 * x;
    assert(sum != 21);
}
