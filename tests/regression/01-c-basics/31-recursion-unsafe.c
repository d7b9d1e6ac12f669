//EXPECT: UNSAFE
// Found in the third call.
#include <assert.h>

void down(int n)
{
    assert(n != 1);
    if (n > 0) down(n - 1);
}

int main(void)
{
    down(3);
}
