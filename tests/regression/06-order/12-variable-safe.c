//EXPECT: SAFE
// A variable beside a call that changes it is read before or after the call.
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
    int sum = x + plus();
    assert(sum == 1 + 4 || sum == 4 + 4);
}
