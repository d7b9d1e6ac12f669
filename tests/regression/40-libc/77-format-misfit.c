//EXPECT: UNKNOWN
//REASON: not supported: `%d` of `printf` with an argument of type
// An argument of another type than the conversion expects is undefined behaviour (C11, 7.21.6.1).
#include <assert.h>
#include <stdio.h>

int main(void)
{
    long x = 1;
    printf("%d\n", x);
    assert(x == 1);
}
