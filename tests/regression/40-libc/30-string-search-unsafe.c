//EXPECT: UNSAFE
// strrchr finds the last one, not the first.
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[] = "abcb";
    assert(strrchr(text, 'b') == text + 1);
    return 0;
}
