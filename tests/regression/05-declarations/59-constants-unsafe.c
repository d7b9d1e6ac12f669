//EXPECT: UNSAFE
//REASON: A == 3
// The fraction is cut off, not rounded.
#include <assert.h>
enum { A = (int)2.7 };

int main(void)
{
    assert(A == 3);
    return 0;
}
