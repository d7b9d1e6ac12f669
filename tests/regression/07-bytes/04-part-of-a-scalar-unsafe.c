//EXPECT: UNSAFE
// The second byte of the first element is written.
#include <assert.h>
#include <string.h>

unsigned short halves[2] = {0x1122, 0x3344};

int main(void)
{
    unsigned char byte = 0xaa;
    memcpy((char *)halves + 1, &byte, 1);
    assert(halves[0] == 0x1122);
}
