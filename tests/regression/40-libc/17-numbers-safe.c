//EXPECT: SAFE
// abs, labs, atoi; rand is never negative.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(abs(-3) == 3 && abs(4) == 4 && labs(-5L) == 5);
    assert(atoi("42") == 42 && atoi(" -7x") == -7 && atoi("") == 0);
    srand(1);
    assert(rand() >= 0);
}
