//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: pointers into different objects are ordered or subtracted
// The distance from null would be the number of an address.
#include <stddef.h>
char text[4];

int main(void) {
    ptrdiff_t number = text - (char *)0;
    return number % 2;
}
