//EXPECT: SAFE
// `memcpy` may begin and end within scalars: x86 has the low byte first.
#include <assert.h>
#include <string.h>

unsigned short halves[2] = {0x1122, 0x3344};

int main(void)
{
    unsigned char byte = 0xaa;
    memcpy((char *)halves + 1, &byte, 1);
    assert(halves[0] == 0xaa22 && halves[1] == 0x3344);
    unsigned word;
    memcpy(&word, halves, sizeof word);
    assert(word == 0x3344aa22u);
}
