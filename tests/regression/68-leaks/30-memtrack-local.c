//EXPECT: UNKNOWN
//ARGS: --property valid-memsafety.prp
//REASON: a local variable
// A local variable of `main` points to it to the end, so it is not lost; the model does not know which blocks are open.
#include <stdlib.h>

int main(void)
{
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    return 0;
}
