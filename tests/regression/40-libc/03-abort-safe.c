//EXPECT: SAFE
//VACUOUS: abort ends the program
// abort ends the program, but is no failed assertion.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    abort();
    assert(0);
}
