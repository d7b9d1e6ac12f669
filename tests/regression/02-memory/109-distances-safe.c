//EXPECT: SAFE
//ARGS: --check assertions,memory
// Distances in an array, in bytes and in elements; of two null pointers; of a member, the old way.
#include <assert.h>
#include <stddef.h>
struct pair { int first, second, third; } pairs[3];

int main(void) {
    char *none = 0;
    assert(&pairs[2] - &pairs[0] == 2);
    assert((char *)&pairs[1].second - (char *)pairs == 16);
    assert(none - (char *)0 == 0);
    assert((char *)&((struct pair *)0)->third - (char *)0 == 8);
    return 0;
}
