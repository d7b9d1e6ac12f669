//EXPECT: SAFE
// The members of a union share their storage.
#include <assert.h>

union { unsigned u; int i; } v;
union { struct { int tag; int x; } a; struct { int tag; unsigned y; } b; } w;

int main(void)
{
    v.i = -1;
    assert(v.u == 4294967295u);
    w.a.tag = 3;
    w.a.x = 4;
    assert(w.b.tag == 3 && w.b.y == 4);
}
