//EXPECT: SAFE
// The bytes of a value are those that were written, whatever the sign of the type they are seen as.
#include <assert.h>
#include <string.h>

char mem[8] __attribute__((aligned(8)));

int main(void)
{
    *(unsigned long *)mem = 0xFF;
    assert(*(unsigned long *)mem == 0xFF);
    assert(mem[0] == -1 && mem[1] == 0);
    unsigned u = 0x80c0e0f0u, v;
    memcpy(mem, &u, sizeof u);
    memcpy(&v, mem, sizeof v);
    assert(v == u && (unsigned char)mem[3] == 0x80);
}
