//EXPECT: UNSAFE
// strncpy does not end the string if it does not fit.
#include <assert.h>
#include <string.h>

int main(void)
{
    char b[4] = "zzz";
    strncpy(b, "ab", 2);
    assert(strlen(b) == 2);
}
