//EXPECT: SAFE
// String literals are arrays of characters with a zero at the end.
#include <assert.h>

const char *s = "hello\n" "\x41\101";

int main(void)
{
    assert(sizeof "abc" == 4 && "abc"[1] == 'b');
    assert(s[5] == '\n' && s[6] == 'A' && s[7] == 'A' && s[8] == 0);
    int n = 0;
    for (const char *p = s; *p; p++) n++;
    assert(n == 8);
}
