//EXPECT: UNSAFE
// The right operand may be first: 8 - 4.
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
    assert(twice() - plus() == 2 - 5);
}
