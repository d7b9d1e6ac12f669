//EXPECT: UNKNOWN
//ARGS: --check leaks
//REASON: bytes
// The address is in bytes, and nowhere else.
#include <stdlib.h>

union { char bytes[sizeof(int *)]; int *pointer; } kept;

int main(void)
{
    kept.pointer = malloc(sizeof(int));
    kept.bytes[0] = kept.bytes[0];
    return 0;
}
