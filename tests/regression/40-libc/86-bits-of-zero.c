//EXPECT: UNKNOWN
//REASON: the leading zeros of 0, which are undefined
// gcc does not say what this gives.
#include <assert.h>

int main(void)
{
    unsigned zero = 0;
    assert(__builtin_clz(zero) == 32);
}
