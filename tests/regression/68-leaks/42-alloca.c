//EXPECT: SAFE
//ARGS: --check leaks
// What a function has allocated for itself holds the address while it has not returned.
#include <alloca.h>
#include <stdlib.h>

int main(void)
{
    int **slot = alloca(sizeof *slot);
    *slot = malloc(sizeof **slot);
    exit(0);
}
