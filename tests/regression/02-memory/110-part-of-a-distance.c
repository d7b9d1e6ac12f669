//EXPECT: UNKNOWN
//REASON: a distance of pointers that is no multiple of what they point to
// gcc does not divide: it multiplies with the inverse of three, and the result is a large number.
#include <assert.h>
struct triple { int first, second, third; } triples[3];

int main(void) {
    struct triple *p = (struct triple *)&triples[0].second;
    assert(p - triples == 0);
    return 0;
}
