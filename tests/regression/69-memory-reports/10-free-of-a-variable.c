//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: what is freed is not the start of an allocation: `buffer` was not allocated
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
char buffer[8];

int main(void)
{
    char *p = buffer;
    if (__VERIFIER_nondet_int())
        p = malloc(16);
    free(p);
    return 0;
}
