//EXPECT: UNKNOWN
//REASON: `rand_r` with several seeds in turn
// The first and the third number are the same, but only the last seed is remembered.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned a = 1, b = 2, c = 1;
    int first = rand_r(&a);
    rand_r(&b);
    assert(rand_r(&c) == first);
}
