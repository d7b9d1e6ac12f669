//EXPECT: SAFE
// Signed overflow is undefined: by default the execution ends there.
#include <assert.h>
#include <limits.h>

int x = INT_MAX;

int main(void)
{
    x = x + 1;
    assert(x > 0);
}
