//EXPECT: SAFE
// `x = x + f()` is no compound assignment: `x` is read before the call, or after it.
#include <assert.h>

int x = 1, i;

int plus(void)
{
    x = x + 3;
    return x;
}

int next(void)
{
    return ++i;
}

int main(void)
{
    x = x + plus();
    assert(x == 1 + 4 || x == 4 + 4);
    // Which element it is may be known before the call; what is in it is read after it.
    int a[2] = {10, 20};
    a[i] += next();
    assert((a[0] == 11 && a[1] == 20) || (a[0] == 10 && a[1] == 21));
}
