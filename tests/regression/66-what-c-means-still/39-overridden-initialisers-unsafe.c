//EXPECT: UNSAFE
//REASON: other.u.y == -1
// Of the member that is overridden nothing stays.
#include <assert.h>
union either { int a; struct { short x, y; }; };
struct choice { union either u; int k; };

int main(void)
{
    struct choice other = {.u.a = -1, .u.x = 2};
    assert(other.u.y == -1);
    return 0;
}
