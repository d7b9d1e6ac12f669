//EXPECT: UNSAFE
// The least significant byte comes first, and a `char` has a sign.
#include <assert.h>

char mem[8] __attribute__((aligned(8)));

int main(void)
{
    *(unsigned long *)mem = 0xFF;
    assert(mem[0] == 0xFF);
}
