//EXPECT: UNSAFE
// What another file gives it is not zero, or may not be.
#include <assert.h>
extern int level;

int main(void)
{
    assert(level == 0);
    return 0;
}
