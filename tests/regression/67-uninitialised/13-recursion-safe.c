//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Each level of a recursion has variables of its own.
#include <assert.h>

static int depth_of(int n) {
    int below;
    if (n > 0)
        below = depth_of(n - 1);
    return n > 0 ? below + 1 : 0;
}

int main(void) {
    assert(depth_of(2) == 2);
    return 0;
}
