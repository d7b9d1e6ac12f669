//EXPECT: UNKNOWN
//REASON: whether string literals are one object
// C11 6.4.5, 7: it is unspecified whether equal literals are one array.
#include <assert.h>

int main(void)
{
    const char *a = "ab", *b = "ab";
    assert(a == b);
}
