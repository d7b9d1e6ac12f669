//EXPECT: SAFE
// Arguments are evaluated in any order (C11, 6.5.2.2, paragraph 10), but one after the other.
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
    int difference = minus(next(), next());
    assert(difference == 1 || difference == -1);
}
