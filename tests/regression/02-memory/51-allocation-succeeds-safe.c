//EXPECT: SAFE
//REASON: allocating memory never fails
// Without the option it does not, and that is said.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    assert(p);
}
