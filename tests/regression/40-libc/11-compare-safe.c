//EXPECT: SAFE
// strlen, strcmp, strncmp, memcmp.
#include <assert.h>
#include <string.h>

int main(void)
{
    char a[] = "ab", b[] = "abc";
    assert(strlen(a) == 2 && strlen(b) == 3);
    assert(strcmp(a, a) == 0 && strcmp(a, b) < 0 && strcmp(b, a) > 0);
    assert(strncmp(a, b, 2) == 0 && strncmp(a, b, 3) < 0);
    assert(memcmp(a, b, 2) == 0 && memcmp(b, a, 3) > 0);
}
