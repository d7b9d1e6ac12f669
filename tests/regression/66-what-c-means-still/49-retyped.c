//EXPECT: SAFE
//REASON: what was written as one type may be read as another
// To C, this is undefined: `gcc -O2` takes the two for different objects, and `f` returns 1 there.
#include <assert.h>
int f(int *a, short *b)
{
    *a = 1;
    *b = 2;
    return *a;
}

int main(void)
{
    int x;
    assert(f(&x, (short *)&x) == 2);
    return 0;
}
