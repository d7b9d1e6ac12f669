//EXPECT: SAFE
//ARGS: --property memcleanup.prp
//REASON: No memory can leak
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    free(kept);
    return 0;
}
