//EXPECT: SAFE
// It is never called.
#include <assert.h>

int main(void)
{
    int x = 1;
    if (x != 1) __builtin_frobnicate(x);
    assert(x == 1);
}
