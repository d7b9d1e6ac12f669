//EXPECT: SAFE
//ARGS: --check leaks --data-model ilp32
// An integer holds the address, and is wider than it.
#include <stdlib.h>

unsigned long long handle;

int main(void)
{
    handle = (unsigned long)malloc(4);
    return 0;
}
