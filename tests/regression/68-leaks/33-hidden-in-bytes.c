//EXPECT: UNKNOWN
//ARGS: --check leaks
//REASON: bytes
// The address is kept as bytes, which are no pointer to the model.
#include <stdlib.h>
#include <string.h>

char kept[sizeof(int *)];

int main(void)
{
    int *mine = malloc(sizeof *mine);
    memcpy(kept, &mine, sizeof mine);
    return 0;
}
