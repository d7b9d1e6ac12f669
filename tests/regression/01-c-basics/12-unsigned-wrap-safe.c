//EXPECT: SAFE
// Unsigned arithmetic wraps.
#include <assert.h>

int main(void)
{
    unsigned u = 0;
    u--;
    assert(u == 4294967295u);
    u += 2;
    assert(u == 1);
    unsigned long long w = 18446744073709551615ull;
    w++;
    assert(w == 0);
    assert(2147483648u * 2u == 0u);
}
