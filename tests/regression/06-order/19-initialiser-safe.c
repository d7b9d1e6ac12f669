//EXPECT: SAFE
// The elements of an initialiser are evaluated in any order, one after the other (C11, 6.7.9, paragraph 23).
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
    assert(a[0] + a[1] == 3 && last == 2);
}
