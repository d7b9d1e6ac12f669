//EXPECT: SAFE
// ... but may stand where it is not reached.
#include <assert.h>

int x;

static void unused(void)
{
    __asm__ volatile("cli");
}

int main(void)
{
    if (x) unused();
    assert(x == 0);
}
