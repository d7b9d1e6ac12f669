//EXPECT: UNKNOWN
//REASON: an object is used after the end of its lifetime
// The same for an array of variable length.
#include <assert.h>
int main(void) {
    int *p;
    volatile int n = 2;
    for (int i = 0; i < 2; i++) {
        int a[n];
        a[0] = 0;
        if (i == 0)
            p = a;
        else {
            *p = 7;
            assert(a[0] == 7);
        }
    }
}
