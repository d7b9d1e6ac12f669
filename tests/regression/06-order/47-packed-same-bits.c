//EXPECT: UNKNOWN
//REASON: undefined behaviour may happen: an object is changed while the same expression uses or changes it
// Both are the same bit-field of a packed record.
#include <assert.h>

#pragma pack(push, 1)
struct bits {
    int a : 23;
    int b : 18;
} s = {1, 2};
#pragma pack(pop)

int sum(struct bits *p, struct bits *q) { return (p->b = 5) + (q->b = 6); }

int main(void)
{
    assert(sum(&s, &s) == 11);
}
