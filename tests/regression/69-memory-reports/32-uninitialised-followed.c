//EXPECT: SAFE
//ARGS: --check assertions
// Where only assertions are asked for, the local has any value.
#include <assert.h>

int main(void)
{
    unsigned x;
    assert(x % 2 < 2);
    return 0;
}
