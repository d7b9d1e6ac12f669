//EXPECT: UNSAFE
// A copy does not follow the original.
#include <assert.h>

struct point { int x, y; };

int main(void)
{
    struct point p = {1, 2}, q = p;
    p.x = 5;
    assert(q.x == p.x);
}
