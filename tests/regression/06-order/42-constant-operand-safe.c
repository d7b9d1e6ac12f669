//EXPECT: SAFE
// A variable that never changes has its value in every order: 0x27 | 6 is 0x27.
#include <assert.h>

short g[2] = {0x27, 1};

static int effect(int a)
{
    g[1] = a;
    return a;
}

int main(void)
{
    unsigned long six = 6;
    if (((g[1] && (g[0] |= six)), effect(g[0]) + effect(1)) ^ six) {
    }
    assert(g[0] == 0x27);
}
