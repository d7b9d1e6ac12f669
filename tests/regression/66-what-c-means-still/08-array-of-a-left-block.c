//EXPECT: UNKNOWN
//REASON: an object is used after the end of its lifetime
// An array of variable length is gone with its block, not with its function.
#include <assert.h>
int main(void) {
    int *p;
    volatile int n = 2;
    {
        int a[n];
        a[0] = 3;
        p = a;
    }
    assert(*p == 3);
}
