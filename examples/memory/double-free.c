//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: what is freed was freed before: `heap@22`
//INPUTS: -1
//SANITIZER: double-free
// `fill` frees the buffer if there is nothing to read, and so does its caller.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int fill(char *buffer)
{
    int bytes = __VERIFIER_nondet_int();
    if (bytes < 0) {
        free(buffer);
        return -1;
    }
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
