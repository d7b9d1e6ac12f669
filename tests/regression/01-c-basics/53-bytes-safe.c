//EXPECT: SAFE
// A source may have bytes that are no UTF-8, as this comment (é) has: in literals each is itself.
#include <assert.h>

int main(void)
{
    const unsigned char text[] = "éÿ\0";
    assert(sizeof text == 4 && text[0] == 0xe9 && text[1] == 0xff && 'é' == -23);
}
