//EXPECT: UNSAFE
// On a 64-bit machine it does not wrap there.
#include <assert.h>

int main(void)
{
    assert(sizeof(long) == 8 && sizeof(void *) == 8);
    unsigned long u = 4294967295ul;
    assert(u + 1 == 0);
}
