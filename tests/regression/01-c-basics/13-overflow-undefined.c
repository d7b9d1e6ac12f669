//EXPECT: UNKNOWN
//REASON: signed overflow at
// Signed overflow is undefined behaviour (C11 6.5p5): nothing can be said of what follows.
#include <assert.h>
#include <limits.h>

int x = INT_MAX;

int main(void)
{
    x = x + 1;
    assert(x > 0);
}
