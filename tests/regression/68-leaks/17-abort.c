//EXPECT: SAFE
//ARGS: --check leaks
// To abort is not to end: what was allocated does not count.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    abort();
}
