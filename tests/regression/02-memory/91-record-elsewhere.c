//EXPECT: UNKNOWN
//REASON: memory of another type
// What lies at `other` is no `struct pair`, though two numbers lie there: gcc takes the access for one to another object (C11 6.5, 7),
// and the model does not look there.
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
