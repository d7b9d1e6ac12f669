//EXPECT: UNSAFE
// A do-while runs at least once.
#include <assert.h>

int main(void)
{
    int n = 0;
    do n++;
    while (0);
    assert(n == 0);
}
