//EXPECT: SAFE
// Who reads what was last written sees nothing of the address that was there before.
#include <assert.h>
struct value {
    int is_pointer;
    union {
        int *p;
        long l;
        short s;
    } u;
} a, b;
int x;
int get(struct value *v) { return v->is_pointer ? *v->u.p : v->u.s; }
int main(void) {
    x = 4;
    a.is_pointer = 1;
    a.u.p = &x;
    assert(get(&a) == 4);
    a.is_pointer = 0;
    a.u.s = 7;
    assert(get(&a) == 7);
    b = a;
    assert(get(&b) == 7);
    b.u.p = &x;
    assert(*b.u.p == 4);
}
