//EXPECT: UNKNOWN
//REASON: a byte of an address, used as a number
// Which bytes the address of `x` has is another matter in every layout.
#include <assert.h>

int x;
int *p = &x;

int main(void)
{
    unsigned char *c = (unsigned char *)&p;
    assert(c[7] != 1);
}
