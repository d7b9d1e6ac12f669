//EXPECT: UNKNOWN
//REASON: undefined
// strcpy beyond the end of the array.
#include <string.h>

int main(void)
{
    char b[3];
    strcpy(b, "abc");
    return b[0];
}
