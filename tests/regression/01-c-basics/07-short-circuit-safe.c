//EXPECT: SAFE
//
//evaluate the right side only if needed; the comma evaluates both.
// && and
#include <assert.h>

int calls;

int f(int v)
{
    calls++;
    return v;
}

int main(void)
{
    int a = f(0) && f(1);
    assert(calls == 1 && a == 0);
    int b = f(1) || f(1);
    assert(calls == 2 && b == 1);
    int c = (f(5), f(6));
    assert(calls == 4 && c == 6);
    int d = f(1) ? 3 : f(9);
    assert(calls == 5 && d == 3);
    int e = f(4) ?: f(9);
    assert(calls == 6 && e == 4);
    assert(!f(2) == 0 && -f(2) == ~f(1));
}
