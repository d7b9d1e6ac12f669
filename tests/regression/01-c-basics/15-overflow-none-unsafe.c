//EXPECT: UNSAFE
// The largest value is reached without overflow.
#include <assert.h>
#include <limits.h>

int x = INT_MAX - 1;

int main(void)
{
    x = x + 1;
    assert(x != INT_MAX);
}
