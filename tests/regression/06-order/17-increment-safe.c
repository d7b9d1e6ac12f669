//EXPECT: SAFE
// No call comes between the read and the write of `x++` (C11, 6.5.2.4, paragraph 2).
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
    int sum = x++ + plus();
    assert(sum == 1 + 5 || sum == 4 + 4);
    assert(x == 5);
}
