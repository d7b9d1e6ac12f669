//EXPECT: UNKNOWN
//ARGS: --property memsafety.prp
//REASON: memory: SAFE
//REASON: leaks: UNKNOWN
// While the loop runs, the address is a value of an argument that no variable holds yet: the memory is not lost.
#include <stdlib.h>

int *kept;

static void keep(int *memory, int unused) { kept = memory; }

int main(void)
{
    keep(malloc(sizeof *kept), ({ int i; for (i = 0; i < 2; i++) ; i; }));
    return 0;
}
