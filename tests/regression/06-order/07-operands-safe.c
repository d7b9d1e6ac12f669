//EXPECT: SAFE
// The operands of `-` are evaluated in any order, but the two calls do not mix.
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
    int difference = twice() - plus();
    assert(difference == 2 - 5 || difference == 8 - 4);
    assert(x == 5 || x == 8);
}
