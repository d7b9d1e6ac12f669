//EXPECT: UNSAFE
// The error is reached only if the numbers are right, and random ones can be what they need be.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

#define NEED(condition) if (!(condition)) return 0

int main(void)
{
    unsigned seed = 1;
    NEED(abs(-3) == 3 && abs(4) == 4);
    NEED(labs(-5L) == 5 && llabs(-6LL) == 6);
    NEED(atoi("42") == 42 && atoi(" -7x") == -7 && atoi("") == 0);
    srand(1);
    srandom(1);
    NEED(rand() == 17);
    NEED(random() == 18);
    NEED(rand_r(&seed) == 19);
    assert(0);
}
