//EXPECT: SAFE
// A jump back within a block ends no lifetime (C11 6.2.4, 6): it is the same object all the time.
#include <assert.h>
int main(void) {
    int *p = 0, i = 0;
again:;
    int x;
    if (i == 0) {
        p = &x;
        i = 1;
        goto again;
    }
    *p = 7;
    assert(x == 7);
}
