//EXPECT: SAFE
// `x += f()`: `x` is read before or after the call, and written after it.
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
    assert(x == 1 + 4 || x == 4 + 4);
}
