//EXPECT: UNSAFE
// The copy is the address of `x`, and so not that of `y`.
#include <assert.h>

int x, y;
int *p = &x, *q = &y;

int main(void)
{
    unsigned char *from = (unsigned char *)&p, *to = (unsigned char *)&q;
    for (int i = 0; i < 8; i++)
        to[i] = from[i];
    assert(q == &y);
}
