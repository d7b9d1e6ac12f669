//EXPECT: SAFE
// Bit-fields hold so many bits, next to each other.
#include <assert.h>

struct flags {
    unsigned a : 3;
    signed b : 4;
    unsigned c : 1;
} f;

int main(void)
{
    f.a = 7;
    f.b = -8;
    f.c = 1;
    f.a++;
    assert(f.a == 0 && f.b == -8 && f.c == 1);
    f.a = 13;
    assert(f.a == 5);
    assert(sizeof(struct flags) == 4);
}
