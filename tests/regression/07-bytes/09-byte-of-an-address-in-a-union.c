//EXPECT: UNKNOWN
//REASON: a byte of an address, used as a number
// The same, in a union.
#include <assert.h>

union {
    int *pointer;
    unsigned char bytes[8];
} u;
int x;

int main(void)
{
    u.pointer = &x;
    assert(u.bytes[7] != 1);
}
