//EXPECT: UNKNOWN
//REASON: undefined behaviour may happen: an object is changed while the same expression uses or changes it
// Both are the same bit-field.
#include <assert.h>

struct bits {
    unsigned a : 7;
    signed b : 16;
} s = {1, 2};

int sum(struct bits *p, struct bits *q) { return (p->b = 5) + (q->b = 6); }

int main(void)
{
    assert(sum(&s, &s) == 11);
}
