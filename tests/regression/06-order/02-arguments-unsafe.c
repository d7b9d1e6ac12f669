//EXPECT: UNSAFE
// gcc evaluates the second argument first, clang the first one.
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
    assert(minus(next(), next()) == -1);
}
