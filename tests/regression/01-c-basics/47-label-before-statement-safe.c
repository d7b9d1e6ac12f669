//EXPECT: SAFE
// The statement behind a label is executed whether or not somebody jumps to it.
#include <assert.h>
int x;

int main(void)
{
    if (x == 0) set: x = x + 1;
    if (x == 1) goto set;
    assert(x == 2);
    return 0;
}
