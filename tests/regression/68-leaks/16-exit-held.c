//EXPECT: SAFE
//ARGS: --check leaks
// A variable of a function that has not returned leads there when the program ends.
#include <stdlib.h>

static void stop(int *kept)
{
    *kept = 1;
    exit(0);
}

int main(void)
{
    int *p = malloc(sizeof *p);
    stop(p);
}
