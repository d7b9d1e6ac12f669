//EXPECT: SAFE
// Where overflow is not asked for, a left shift gives the shifted bits, as compilers do.
#include <assert.h>
int main(void)
{
    int bit = 31, one = 1;
    assert(one << bit < 0);
    return 0;
}
