//EXPECT: SAFE
// C11 6.7.9: what comes later for the same subobject overrides. A list overrides all of its object, a scalar in elided braces only itself, another
// member of a union all of it. These are the values that gcc and clang give.
#include <assert.h>
struct pair { int a, b; };
struct outer { struct pair in; int k; };
union either { int a; struct { short x, y; }; struct pair p; };
struct choice { union either u; int k; };

int main(void)
{
    struct pair list[2] = {[1] = {1, 2}, [0] = {3, 4}, {.b = 9}};
    assert(list[1].a == 0 && list[1].b == 9);
    struct pair elided[2] = {[1] = {1, 2}, [0] = {3, 4}, 9};
    assert(elided[1].a == 9 && elided[1].b == 2);
    struct outer begun = {.in = {1, 2}, .in = 7};
    assert(begun.in.a == 7 && begun.in.b == 2);
    struct outer anew = {.in.b = 9, .in = {1}};
    assert(anew.in.a == 1 && anew.in.b == 0);
    struct choice other = {.u.a = -1, .u.x = 2};
    assert(other.u.a == 2 && other.u.y == 0);
    struct choice same = {.u.p = {1, 2}, .u.p.b = 3};
    assert(same.u.p.a == 1 && same.u.p.b == 3);
    union either many[3] = {[0 ... 2].a = -1, [1].x = 2};
    assert(many[0].a == -1 && many[1].a == 2 && many[2].a == -1);
    struct outer lists[3] = {[1].in = {1, 2}, [2].in.b = 3, [0 ... 2].in = {4}};
    assert(lists[1].in.a == 4 && lists[1].in.b == 0 && lists[2].in.b == 0);
    struct outer empty[3] = {[2] = {{1, 2}, 3}, [0 ... 2].in = {}};
    assert(empty[2].in.a == 0 && empty[2].in.b == 0 && empty[2].k == 3);
    struct choice chosen[3] = {[1].u.p = {1, 2}, [0 ... 2].u.a = 3};
    assert(chosen[1].u.p.a == 3 && chosen[1].u.p.b == 0 && chosen[2].u.a == 3);
    struct { char name[4]; } names[3] = {[1].name = "abc", [0 ... 2].name = "d"};
    assert(names[1].name[0] == 'd' && names[1].name[1] == 0 && names[1].name[2] == 0);
    struct { struct outer row[2]; } deep[2] = {[1].row[1].in.b = 5, [0 ... 1].row[0 ... 1].in = {6}};
    assert(deep[1].row[1].in.a == 6 && deep[1].row[1].in.b == 0);
    return 0;
}
