//EXPECT: UNKNOWN
//ARGS: --check assertions,undefined
//REASON: not supported: a byte other than 0 and 1 in a `_Bool`
// To copy a byte there is defined, as long as nobody reads it as a `_Bool`.
#include <string.h>

_Bool set;

int main(void)
{
    char byte = 2;
    memcpy(&set, &byte, 1);
}
