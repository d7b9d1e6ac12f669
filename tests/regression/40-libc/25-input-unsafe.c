//EXPECT: UNSAFE
// getchar can be EOF.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char c = 0;
    int i = getchar();
    if (i != 'x') c = 1;
    assert(i >= 0 && c < 2);
}
