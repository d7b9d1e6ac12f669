//EXPECT: SAFE
// `rand_r` has no state but the seed: the same seed gives the same number and the same next seed.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned a = 3, b = 3;
    int first = rand_r(&a);
    assert(first == rand_r(&b) && a == b);
}
