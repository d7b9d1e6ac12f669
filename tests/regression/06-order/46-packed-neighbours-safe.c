//EXPECT: SAFE
// Bit-fields of a packed record may share a byte though their storage units begin at other places: they are objects of their own.
#include <assert.h>

#pragma pack(push, 1)
struct bits {
    int a : 23;
    int b : 18;
    long c;
} s = {1, 2, 3};
#pragma pack(pop)

int sum(struct bits *p, struct bits *q) { return (p->a = 5) + (q->b = 6); }

int main(void)
{
    s.b = (s.a = -1);
    assert(s.a == -1 && s.b == -1 && s.c == 3);
    assert(sum(&s, &s) == 11 && s.a == 5 && s.b == 6 && s.c == 3);
}
