//EXPECT: SAFE
// Braces may be left out behind a designator, too.
#include <assert.h>
struct pair { int a, b; };
struct outer { struct pair in; int k; };

int main(void)
{
    struct outer o = {.in = 7, 8, 9};
    assert(o.in.a == 7 && o.in.b == 8 && o.k == 9);
    int grid[2][2] = {[1] = 3, 4};
    assert(grid[0][0] == 0 && grid[1][0] == 3 && grid[1][1] == 4);
    return 0;
}
