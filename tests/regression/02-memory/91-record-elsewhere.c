//EXPECT: UNKNOWN
//REASON: undefined behaviour
// What lies at `other` is no `struct pair`: to access its members there is undefined behaviour (C11 6.5, 7), though two
// numbers lie there.
#include <assert.h>

struct pair {
    int first, second;
};

struct outer {
    struct pair pair;
    int x, y;
};

int main(void)
{
    struct outer outer = {{1, 2}, 3, 4};
    struct outer *volatile hidden = &outer;
    struct pair *other = (struct pair *)&hidden->x;
    assert(other->second == 4);
}
