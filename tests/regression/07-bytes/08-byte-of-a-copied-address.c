//EXPECT: UNKNOWN
//REASON: a byte of an address, used as a number
// The same, after the address was copied to bytes.
#include <assert.h>
#include <string.h>

int x;
int *p = &x;

int main(void)
{
    unsigned char bytes[8];
    memcpy(bytes, &p, 8);
    assert(bytes[7] != 1);
}
