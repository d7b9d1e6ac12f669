//EXPECT: UNSAFE
// strcmp promises the sign, not the number.
#include <assert.h>
#include <string.h>

int main(void)
{
    char a[] = "a", c[] = "c";
    int order = strcmp(c, a);
    assert(order == 1 || order == 2);
    return 0;
}
