//EXPECT: SAFE
// Members of a record are objects of their own (C11, 3.14), also beside a bit-field or in its storage unit.
#include <assert.h>

struct bits {
    unsigned a : 7;
    signed b : 16;
    unsigned char c;
} s = {1, 2, 3};

int sum(struct bits *p, struct bits *q) { return (p->a = 5) + (q->b = 6); }

int main(void)
{
    unsigned char *c = &s.c;
    assert((*c = 5) + s.b == 7 && s.c == 5);
    assert(sum(&s, &s) == 11 && s.a == 5 && s.b == 6);
}
