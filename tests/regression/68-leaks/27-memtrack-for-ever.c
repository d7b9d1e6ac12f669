//EXPECT: UNSAFE
//ARGS: --property memsafety.prp
//REASON: Violated: valid-memtrack
// The program never ends; the memory is lost all the same.
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    kept = 0;
    while (1)
        ;
}
