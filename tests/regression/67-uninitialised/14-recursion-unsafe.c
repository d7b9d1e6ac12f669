//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
//REASON: a variable is read before it was written: `below`
// The innermost level reads its own `below`, which was never written.
#include <assert.h>

static int depth_of(int n) {
    int below;
    if (n > 0)
        below = depth_of(n - 1);
    return below + 1;
}

int main(void) {
    assert(depth_of(2) >= 0);
    return 0;
}
