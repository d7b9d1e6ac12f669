//EXPECT: SAFE
//ARGS: -DNDEBUG
// With NDEBUG an assertion is nothing.
#include <assert.h>

int main(void)
{
    assert(0);
}
