//EXPECT: SAFE
// A signed number as wide as a pointer, in a union with one and with bytes.
#include <assert.h>

union {
    long number;
    int *pointer;
    char bytes[12];
} u;
int x;

int main(void)
{
    u.pointer = &x;
    assert(u.pointer == &x);
    u.number = -5;
    assert(u.number == -5 && u.bytes[0] == -5);
}
