//EXPECT: SAFE
// Structures are copied by assignment, as arguments and as results.
#include <assert.h>

struct point { int x, y; struct { int z[2]; } in; };

struct point move(struct point p)
{
    p.x++;
    p.in.z[1] = p.x;
    return p;
}

int main(void)
{
    struct point p = {1, 2, {{3, 4}}}, q, r;
    q = p;
    p.y = 9;
    r = move(q);
    assert(q.x == 1 && q.y == 2 && q.in.z[1] == 4);
    assert(r.x == 2 && r.y == 2 && r.in.z[0] == 3 && r.in.z[1] == 2);
    assert(move(p).y == 9);
}
