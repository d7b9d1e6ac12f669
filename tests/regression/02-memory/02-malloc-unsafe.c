//EXPECT: UNSAFE
// What malloc returns is not zero.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    assert(*p == 0);
}
