//EXPECT: UNKNOWN
//REASON: a byte of an address, used as a number
// Four bytes of an address, copied to a number.
#include <assert.h>
#include <string.h>

int x;
int *p = &x;
unsigned half;

int main(void)
{
    memcpy(&half, (char *)&p + 4, 4);
    assert(half == 0);
}
