//EXPECT: UNSAFE
//REASON: f(&x, (short *)&x) == 1
// That bytes are the same under every type is the assumption: so this fails.
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
    assert(f(&x, (short *)&x) == 1);
    return 0;
}
