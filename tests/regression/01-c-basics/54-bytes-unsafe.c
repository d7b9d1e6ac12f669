//EXPECT: UNSAFE
// One byte is one character, whatever it is.
#include <assert.h>

int main(void)
{
    assert(sizeof "é" == 3);
}
