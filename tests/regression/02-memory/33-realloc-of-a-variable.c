//EXPECT: UNKNOWN
//REASON: not the start of an allocation
// Only what was allocated can be reallocated.
#include <stdlib.h>

int x;

int main(void)
{
    realloc(&x, 8);
}
