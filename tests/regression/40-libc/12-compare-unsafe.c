//EXPECT: UNSAFE
// strcmp returns the order, not a truth value.
#include <assert.h>
#include <string.h>

int main(void)
{
    char a[] = "ab", b[] = "ac";
    assert(!strcmp(a, b));
}
