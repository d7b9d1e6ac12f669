//EXPECT: SAFE
//ARGS: --check memory,leaks
//INPUTS: -1
// Who allocates frees.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int fill(char *buffer)
{
    int bytes = __VERIFIER_nondet_int();
    if (bytes < 0)
        return -1;
    buffer[0] = 'x';
    return 0;
}
int main(void)
{
    char *buffer = malloc(16);
    int failed = fill(buffer);
    free(buffer);
    return failed;
}
