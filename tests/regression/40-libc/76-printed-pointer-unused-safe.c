//EXPECT: SAFE
// Nobody looks at how much is printed.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int x = 1;
    printf("%p", (void *)&x);
    (void)fprintf(stderr, "%p", (void *)&x);
    assert(x == 1);
}
