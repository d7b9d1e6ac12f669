//EXPECT: UNKNOWN
//REASON: the address of an object whose lifetime has ended
// The second function's local may lie where that of the first has lain; with gcc -O0 it does.
#include <assert.h>

int *kept;

void first(void)
{
    int a = 1;
    kept = &a;
}

void second(void)
{
    int b = 2;
    assert(kept != &b);
}

int main(void)
{
    first();
    second();
}
