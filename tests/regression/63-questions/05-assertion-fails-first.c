//EXPECT: SAFE
//ARGS: --check undefined
// A failed assertion ends the program: what would overflow behind it is never computed.
//VACUOUS: no assertion is asked for
#include <assert.h>
#include <limits.h>

int main(void)
{
    int x = INT_MAX;
    assert(x < INT_MAX);
    return x + 1;
}
