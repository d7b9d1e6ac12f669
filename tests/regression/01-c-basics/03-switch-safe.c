//EXPECT: SAFE
// A case without break falls through; default may stand anywhere.
#include <assert.h>

int f(int n)
{
    int r = 0;
    switch (n) {
    default: r += 100;
    case 1: r += 1;
    case 2: r += 2; break;
    case 3 ... 5: r = 9; break;
    case -1: return 7;
    }
    return r;
}

int main(void)
{
    assert(f(0) == 103 && f(1) == 3 && f(2) == 2 && f(4) == 9 && f(-1) == 7);
}
