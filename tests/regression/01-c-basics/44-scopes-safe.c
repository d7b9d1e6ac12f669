//EXPECT: SAFE
// Inner declarations hide outer ones; tags and labels are separate.
#include <assert.h>

int x = 1;
struct x { int x; };

int main(void)
{
    int y = x;
    int x = 2;
    {
        int x = 3;
        y += x;
    }
    for (int x = 0; x < 2; x++) y += x;
    struct x s = {x};
    assert(x == 2 && y == 5 && s.x == 2);
    {
        extern int x;
        assert(x == 1);
    }
}
