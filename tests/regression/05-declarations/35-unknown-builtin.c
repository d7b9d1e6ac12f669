//EXPECT: UNKNOWN
//REASON: not supported: a call of `__builtin_frobnicate`
// A builtin function that nobody has listed is no function of the program's.
#include <assert.h>

int frobnicate(int x) { return x; }

int main(void)
{
    assert(__builtin_frobnicate(1) == 1 && frobnicate(1) == 1);
}
