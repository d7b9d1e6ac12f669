//EXPECT: SAFE
// Statement expressions, typeof, ranges, zero-length conditions, __builtin_expect.
#include <assert.h>

#define max(a, b) ({ typeof(a) x = (a); typeof(b) y = (b); x > y ? x : y; })

int calls;
int f(void) { return ++calls; }

int main(void)
{
    assert(max(3, 5) == 5 && max(f(), 0) == 1 && calls == 1);
    if (__builtin_expect(calls == 1, 1)) calls = 4;
    __auto_type n = calls;
    assert(n == 4 && __builtin_constant_p(3));
    int g = _Generic(n, int: 1, default: 2);
    assert(g == 1 && __alignof__(int) == 4);
}
