//EXPECT: UNSAFE
// rand can be anything else.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(rand() != 12345);
}
