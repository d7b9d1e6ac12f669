//EXPECT: SAFE
//ARGS: --check assertions,undefined
// What has an address may be written by others: nothing is said of it here but that it has some value, so that nothing follows.
#include <assert.h>

static void fill(int *where) {
    *where = 3;
}

int main(void) {
    int filled, untouched;
    int *other = &untouched;
    fill(&filled);
    assert(filled == 3);
    int difference = *other - *other;
    return difference * 0;
}
