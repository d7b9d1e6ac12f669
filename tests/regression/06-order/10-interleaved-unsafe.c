//EXPECT: UNSAFE
// Only calls do not mix: a call of the right operand may come between those of the left one.
// Here twice, square, plus: 1, 2, 4, 7.
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

int square(void)
{
    x = x * x;
    return x;
}

int main(void)
{
    (twice() - plus()) + square();
    assert(x != 7);
}
