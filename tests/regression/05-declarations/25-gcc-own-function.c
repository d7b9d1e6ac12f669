//EXPECT: UNKNOWN
//REASON: gcc puts its own
#include <assert.h>
// gcc computes an absolute value itself, whatever the program defines.
int abs(int x) { return 5; }
int v = -3;

int main(void)
{
    assert(abs(v) == 5);
}
