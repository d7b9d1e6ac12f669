//EXPECT: SAFE
//ARGS: --check leaks
// A leak is what is lost when the program ends, and this one never does.
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    kept = 0;
    while (1)
        ;
}
