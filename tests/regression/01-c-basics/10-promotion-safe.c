//EXPECT: SAFE
// Integer promotions and the usual arithmetic conversions.
#include <assert.h>

int main(void)
{
    unsigned char a = 255, b = 1;
    assert(a + b == 256);
    assert((unsigned char)(a + b) == 0);
    signed char s = -1;
    assert(s < 0 && (unsigned char)s == 255);
    assert(-1 > 0u);
    assert(-1 < 0l);
    assert((short)70000 == 4464);
    unsigned long big = 1ul << 40;
    assert((int)big == 0 && big >> 40 == 1);
    assert(sizeof(a + b) == sizeof(int) && sizeof 'c' == sizeof(int));
    assert(-7 / 2 == -3 && -7 % 2 == -1 && -7 >> 1 == -4);
    _Bool t = 256;
    assert(t == 1);
}
