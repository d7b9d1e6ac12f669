//EXPECT: UNKNOWN
//REASON: an object is used after the end of its lifetime
// Each round of the loop has a local of its own.
#include <assert.h>
int main(void) {
    int *p;
    for (int i = 0; i < 2; i++) {
        int x = 0;
        if (i == 0)
            p = &x;
        else {
            *p = 7;
            assert(x == 7);
        }
    }
}
