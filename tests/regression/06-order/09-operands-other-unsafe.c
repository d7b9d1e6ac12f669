//EXPECT: UNSAFE
// The left operand may be first: 2 - 5.
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
    assert(twice() - plus() == 8 - 4);
}
