//EXPECT: UNKNOWN
//REASON: not supported: the attribute `frobnicate`
// An attribute that nobody has listed, in brackets.
#include <assert.h>

[[gnu::frobnicate(1)]] int x = 1;

int main(void)
{
    assert(x == 1);
}
