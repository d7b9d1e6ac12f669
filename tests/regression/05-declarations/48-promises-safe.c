//EXPECT: SAFE
//REASON: what attributes promise of functions
// gcc takes it for granted that `p` is not null; so do we, and say so.
#include <assert.h>
__attribute__((nonnull)) int is_null(int *p) { return p == 0; }

int main(void) {
    int x;
    assert(!is_null(&x));
    return 0;
}
