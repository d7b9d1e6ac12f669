//EXPECT: SAFE
// memset, memcpy and memmove.
#include <assert.h>
#include <string.h>

struct s { int a, b; };

int main(void)
{
    struct s x = {1, 2}, y;
    memcpy(&y, &x, sizeof y);
    assert(y.a == 1 && y.b == 2);
    memset(&x, 0, sizeof x);
    assert(x.a == 0 && x.b == 0 && y.b == 2);
    int t[4] = {1, 2, 3, 4};
    memmove(t + 1, t, 3 * sizeof(int));
    assert(t[0] == 1 && t[1] == 1 && t[2] == 2 && t[3] == 3);
}
