//EXPECT: UNSAFE
// A sequence goes on: its third number may be any.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned seed = 1;
    int first = rand_r(&seed);
    rand_r(&seed);
    assert(rand_r(&seed) == first);
}
