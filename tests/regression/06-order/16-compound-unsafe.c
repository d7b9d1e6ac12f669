//EXPECT: UNSAFE
// What the call has done to `x` is not lost.
#include <assert.h>

int x = 1;

int plus(void)
{
    x = x + 3;
    return x;
}

int main(void)
{
    x += plus();
    assert(x == 1 + 4);
}
