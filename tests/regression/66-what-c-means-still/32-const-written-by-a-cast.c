//EXPECT: UNKNOWN
//REASON: an object that is `const` is written
// The object is `const`, whatever its address is converted to: gcc puts 3 in its place.
#include <assert.h>
int main(void) {
    const int c = 3;
    *(int *)&c = 4;
    assert(c == 4);
}
