//EXPECT: UNKNOWN
//REASON: the order of evaluation of 9 operands
// More orders than are told apart: the place is named.
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

int first(int a, int b, int c, int d, int e, int f, int g, int h, int i)
{
    return a;
}

int main(void)
{
    first(next(), next(), next(), next(), next(), next(), next(), next(), next());
}
