//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: Memory can leak
// The path that gives up forgets the buffer.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int load(void)
{
    char *buffer = malloc(8);
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    free(buffer);
    return 0;
}

int main(void) { return load() != 0; }
