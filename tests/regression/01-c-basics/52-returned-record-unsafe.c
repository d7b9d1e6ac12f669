//EXPECT: UNSAFE
// Member by member, `p.b` would become 2.
#include <assert.h>

struct pair { int a, b; } p = {1, 2};

struct pair swapped(void) { return (struct pair){p.b, p.a}; }

int main(void)
{
    p = swapped();
    assert(p.b == 2);
}
