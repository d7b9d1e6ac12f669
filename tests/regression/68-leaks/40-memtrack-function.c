//EXPECT: UNSAFE
//ARGS: --property memsafety.prp
//REASON: Violated: valid-memtrack
// What the function does not return is lost when it does.
#include <stdlib.h>

static int sum(int a, int b)
{
    int *result = malloc(sizeof *result);
    *result = a + b;
    return *result;
}

int main(void)
{
    int result = sum(1, 2);
    return result != 3;
}
