//EXPECT: UNSAFE
// Which number a seed gives is not said.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    srandom(3);
    assert(random() != 17);
}
