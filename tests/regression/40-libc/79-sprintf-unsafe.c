//EXPECT: UNSAFE
//REASON: text[1] == 'x'
// The text is cut, and the assertion is about what it was cut to.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char text[4] = "";
    snprintf(text, 2, "%s", "xy");
    assert(text[0] == 'x' && text[1] == 'x');
}
