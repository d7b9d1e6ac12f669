//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: which has 2 bytes
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned size = __VERIFIER_nondet_uint();
    if (size != 2)
        return 0;
    char *buffer = malloc(size);
    buffer[size] = 0;
    free(buffer);
    return 0;
}
