//EXPECT: UNSAFE
// A local without an initialiser has any value.
#include <assert.h>

int main(void)
{
    int x;
    int *p = &x;
    assert(*p == 0);
}
