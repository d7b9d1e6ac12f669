//EXPECT: SAFE
// Numbers are in their range, with a seed as well.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    srand(3);
    assert(rand() >= 0);
    assert(random() >= 0);
}
