//EXPECT: UNSAFE
// The second element may be first.
#include <assert.h>

int last;

int next(void)
{
    return ++last;
}

int minus(int a, int b)
{
    return a - b;
}

int main(void)
{
    int a[2] = {next(), next()};
    assert(a[0] == 1);
}
