//EXPECT: UNSAFE
// The right side of & is always evaluated.
#include <assert.h>

int calls;

int f(int v)
{
    calls++;
    return v;
}

int main(void)
{
    int a = f(0) & f(1);
    assert(calls == 1 && a == 0);
}
