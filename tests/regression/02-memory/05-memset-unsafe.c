//EXPECT: UNSAFE
// Only the first of two fields is copied.
#include <assert.h>
#include <string.h>

struct s { int a, b; };

int main(void)
{
    struct s x = {1, 2}, y = {0, 0};
    memcpy(&y, &x, sizeof y.a);
    assert(y.a == 1 && y.b == 2);
}
