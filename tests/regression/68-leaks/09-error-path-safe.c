//EXPECT: SAFE
//ARGS: --check leaks
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int load(void)
{
    int result = 0;
    char *buffer = malloc(8);
    if (__VERIFIER_nondet_int() < 0)
        result = -1;
    free(buffer);
    return result;
}

int main(void) { return load() != 0; }
