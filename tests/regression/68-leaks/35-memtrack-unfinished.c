//EXPECT: UNKNOWN
//ARGS: --property memsafety.prp
//REASON: memory: SAFE
//REASON: leaks: UNKNOWN
// While `wait` runs, the address is a value of an argument that no variable holds yet: the memory is not lost.
#include <stdlib.h>

int *kept;

static void keep(int *memory, int unused) { kept = memory; }

static int wait(void)
{
    for (int i = 0; i < 2; i++)
        ;
    return 0;
}

int main(void)
{
    keep(malloc(sizeof *kept), wait());
    return 0;
}
