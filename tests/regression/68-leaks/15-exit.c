//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: Memory can leak
// No variable at all points to it when the program ends.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    p = 0;
    exit(0);
}
