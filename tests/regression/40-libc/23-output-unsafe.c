//EXPECT: UNSAFE
// The arguments of printf are evaluated.
#include <assert.h>
#include <stdio.h>

int x;

int main(void)
{
    printf("%d\n", x++);
    assert(x == 0);
}
