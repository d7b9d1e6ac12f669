//EXPECT: UNKNOWN
//REASON: a buffer of the program
// The stream writes to the buffer, whenever it likes.
#include <assert.h>
#include <stdio.h>

char buffer[2];

int main(void)
{
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    puts("x");
    assert(buffer[0] == 0);
}
