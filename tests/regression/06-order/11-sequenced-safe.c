//EXPECT: SAFE
// `&&`, `,` and `?:` have sequence points, and the operand before an assignment comes before its effect.
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
    int i = 3;
    i = i + 1;
    assert(i == 4);
    i += i;
    assert(i == 8);
    i = (i++, i);
    assert(i == 9);
    i = i++ && i == 10 ? i + 1 : 0;
    assert(i == 11);
    assert((twice(), plus()) == 5);
    assert(twice() == 10 && plus() == 13);
}
