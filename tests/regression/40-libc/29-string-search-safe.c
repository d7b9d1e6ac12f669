//EXPECT: SAFE
// strrchr finds the last one, memchr looks at so many bytes, strnlen stops at its bound.
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[] = "abcb";
    assert(strrchr(text, 'b') == text + 3);
    assert(strrchr(text, 'x') == 0);
    assert(memchr(text, 'c', 2) == 0);
    assert(memchr(text, 'c', 3) == text + 2);
    assert(strnlen(text, 2) == 2 && strnlen(text, 9) == 4);
    return 0;
}
