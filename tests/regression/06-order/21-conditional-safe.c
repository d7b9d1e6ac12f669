//EXPECT: SAFE
// A conditional operand and what stands beside it: what happens in it may come in between.
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
    assert(sum == 11 || sum == 21 || sum == 51);
}
