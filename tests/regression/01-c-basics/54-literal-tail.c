//EXPECT: UNKNOWN
//REASON: whether string literals are one object
// A literal may be the tail of another one.
#include <assert.h>

int main(void)
{
    const char *a = "cab", *b = "ab";
    assert(a + 1 != b);
}
