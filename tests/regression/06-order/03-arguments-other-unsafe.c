//EXPECT: UNSAFE
// clang evaluates the first argument first, gcc the second one.
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
    assert(minus(next(), next()) == 1);
}
