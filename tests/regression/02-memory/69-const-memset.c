//EXPECT: UNKNOWN
//REASON: `const` is written
// A `const` object must not be written, by whatever way (C11 6.7.3, 6).
#include <string.h>

int main(void)
{
    const int pair[2] = {1, 2};
    memset((void *)pair, 0, sizeof pair);
    return pair[0];
}
