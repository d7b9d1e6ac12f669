//EXPECT: UNKNOWN
//ARGS: --check leaks
//REASON: a local variable
// A local variable points to it when the program ends; whether its block is still open is not known to the model.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    exit(0);
}
