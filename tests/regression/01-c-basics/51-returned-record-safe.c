//EXPECT: SAFE
// What a function returns is a value of its own: it is complete before it is assigned.
#include <assert.h>

struct pair { int a, b; } p = {1, 2};
union { struct { struct pair first; int x; } low; struct { int x; struct pair second; } high; } u;

struct pair swapped(void) { return (struct pair){p.b, p.a}; }
struct pair first(struct pair *from) { return *from; }

int main(void)
{
    struct pair local = {3, 4}, *alias = &local;
    p = swapped();
    assert(p.a == 2 && p.b == 1);
    u.low.first = p;
    u.high.second = first(&u.low.first);
    assert(u.high.second.a == 2 && u.high.second.b == 1);
    local = first(alias);
    assert(local.a == 3 && local.b == 4);
}
