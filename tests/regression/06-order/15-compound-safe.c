//EXPECT: SAFE
// `x += f()` is one evaluation beside the call, which comes before it: no call comes between the read of `x` and its write
// (C11 6.5.16.2, 3), and the sum needs the call's value. gcc and clang do so, too.
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
    assert(x == 4 + 4);
    x |= plus() | plus();
    assert(x == (14 | 11 | 14));
    x = 1;
    x -= x == 1 ? plus() + 1 : 0;
    assert(x == -1);
}
