//EXPECT: UNSAFE
// 40 bits all set, and one more: zero, not 2 to the power of 40.
#include <assert.h>

struct { unsigned long long f : 40; } s;

int main(void)
{
    s.f = 0xffffffffffULL;
    assert(s.f + 1 != 0);
}
