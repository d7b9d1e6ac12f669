//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: signed overflow
// The assertion holds, so that the program goes on, and the sum overflows.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int x = INT_MAX;
    assert(x > 0);
    return x + 1;
}
