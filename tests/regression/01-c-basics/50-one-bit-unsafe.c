//EXPECT: UNSAFE
// `int b : 1` has the values 0 and -1: what was stored is not 1.
#include <assert.h>

struct { int b : 1; } s;
int x = 3;

int main(void)
{
    int r = (s.b = (x == 3));
    assert(r == 1);
}
