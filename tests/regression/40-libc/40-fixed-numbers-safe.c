//EXPECT: SAFE
// Functions of numbers; drawing random ones changes nothing but the seed.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int x = 1;

int main(void)
{
    unsigned seed = 1;
    assert(abs(-3) == 3 && abs(4) == 4 && labs(-5L) == 5 && llabs(-6LL) == 6);
    assert(atoi("42") == 42 && atoi(" -7x") == -7 && atoi("") == 0);
    srand(1);
    srandom(1);
    rand();
    random();
    rand_r(&seed);
    assert(x == 1);
}
