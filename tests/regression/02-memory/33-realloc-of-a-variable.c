//EXPECT: UNKNOWN
//REASON: not allocated
// Only what was allocated can be reallocated.
#include <stdlib.h>

int x;

int main(void)
{
    realloc(&x, 8);
}
