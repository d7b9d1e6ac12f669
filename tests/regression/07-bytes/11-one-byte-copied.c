//EXPECT: UNKNOWN
//REASON: a byte of an address, used as a number
// A byte of an address that was copied alone.
#include <assert.h>

int x;
int *p = &x, *q;

int main(void)
{
    unsigned char *from = (unsigned char *)&p, *to = (unsigned char *)&q;
    to[0] = from[0];
    assert(to[0] == 0);
}
