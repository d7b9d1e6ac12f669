//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: 16 bytes at offset 0 of `heap@8`, which has 8 bytes
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *buffer = malloc(8);
    memset(buffer, 0, 16);
    free(buffer);
    return 0;
}
