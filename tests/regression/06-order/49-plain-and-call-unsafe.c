//EXPECT: UNSAFE
#include <assert.h>

int x = 1;

int plus(void)
{
    x = x + 3;
    return x;
}

int main(void)
{
    x = x + plus();
    assert(x == 4 + 4);
}
