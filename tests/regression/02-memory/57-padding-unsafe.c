//EXPECT: UNSAFE
// A store to a member makes the padding unspecified (C11 6.2.6.1, 6).
#include <assert.h>
#include <string.h>

struct message { char kind; int value; };

int main(void)
{
    struct message one;
    memset(&one, 0, sizeof one);
    one.kind = 1;
    assert(((unsigned char *)&one)[1] == 0);
}
