//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
//REASON: a variable is read before it was written: `kept`
// A local of an earlier call is another one.
#include <assert.h>

static int remember(int write) {
    int kept;
    if (write)
        kept = 7;
    return kept;
}

int main(void) {
    assert(remember(1) == 7);
    return remember(0) - 7;
}
