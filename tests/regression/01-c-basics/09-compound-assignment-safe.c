//EXPECT: SAFE
// Compound assignments compute in the promoted type and convert back; the place is evaluated once.
#include <assert.h>

int at;
int a[3] = {1, 2, 3};

int next(void) { return at++; }

int main(void)
{
    unsigned char c = 200;
    c += 100;
    assert(c == 44);
    c <<= 1;
    assert(c == 88);
    a[next()] += 10;
    assert(a[0] == 11 && at == 1);
    int x = 7;
    x %= 4; x *= 5; x -= 1; x /= 3; x |= 8; x ^= 1; x &= 13; x >>= 1;
    assert(x == 6);
    int y = x++;
    y += ++x;
    assert(x == 8 && y == 14);
}
