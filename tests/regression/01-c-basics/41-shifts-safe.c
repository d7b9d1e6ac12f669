//EXPECT: SAFE
// Shifts of signed and unsigned numbers, and masks.
#include <assert.h>

int main(void)
{
    unsigned u = 0x80000000u;
    assert(u >> 31 == 1 && u << 1 == 0);
    int i = -8;
    assert(i >> 2 == -2 && (unsigned)i >> 28 == 15);
    assert((1 << 4 | 3) == 19 && (0xf0 & 0x3c) == 0x30 && (5 ^ 1) == 4 && ~0 == -1);
}
