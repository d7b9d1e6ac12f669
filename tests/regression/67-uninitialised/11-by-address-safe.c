//EXPECT: SAFE
//ARGS: --check assertions,undefined
// What has an address may be written by others; `(void)x` and `x` alone do not use a value.
#include <assert.h>

static void fill(int *where) {
    *where = 3;
}

int main(void) {
    int filled, untouched, parts[2];
    int *other = &untouched;
    (void)untouched;
    untouched;
    *other;
    parts[1];
    fill(&filled);
    assert(filled == 3 ? 1 : untouched);
    assert(filled == 3 || parts[0]);
    return 0;
}
