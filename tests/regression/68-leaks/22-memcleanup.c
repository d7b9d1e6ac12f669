//EXPECT: UNSAFE
//ARGS: --property memcleanup.prp
//REASON: allocated memory is not freed when the program ends: `heap@12`, 4 bytes
//REASON: Violated: valid-memcleanup
// A global still points to it, and SV-COMP's `valid-memcleanup` wants it freed.
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    return 0;
}
