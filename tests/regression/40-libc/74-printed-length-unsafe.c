//EXPECT: UNSAFE
// `%hhu` prints the argument as an unsigned char.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(printf("%hhu", 257) == 3);
}
