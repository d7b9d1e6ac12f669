//EXPECT: SAFE
// The end of an array is no element of it, and pointers that are not moved are no ends.
#include <assert.h>

int a[3], b[3];

static int sum(const int *from, const int *to) {
    int total = 0;
    for (; from != to; from++) total += *from;
    return total;
}

int main(void) {
    int x = 0, *p = &x, *q = x ? &b[1] : &x;
    a[2] = 1;
    b[0] = 2;
    assert(sum(a, a + 3) == 1);
    assert(sum(b, b + 3) == 2);
    assert(p == q);
    return 0;
}
