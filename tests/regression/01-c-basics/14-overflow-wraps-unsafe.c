//EXPECT: UNSAFE
//ARGS: --signed-overflow wrap
// With --signed-overflow wrap it wraps.
#include <assert.h>
#include <limits.h>

int x = INT_MAX;

int main(void)
{
    x = x + 1;
    assert(x > 0);
}
