//EXPECT: SAFE
// Designated, nested and incomplete initialisers; the rest is zero.
#include <assert.h>

struct s { int a; int b[3]; struct { int c, d; } e; };
struct s v = {.b = {[1] = 5}, .e.d = 7};
int t[] = {[3] = 1, 2};
char word[] = "ab", full[2] = "xy";
int *p = &t[3];

int main(void)
{
    struct s l = {1, {2}, {.d = 3}};
    assert(v.a == 0 && v.b[0] == 0 && v.b[1] == 5 && v.e.c == 0 && v.e.d == 7);
    assert(sizeof t == 5 * sizeof(int) && t[4] == 2 && *p == 1);
    assert(sizeof word == 3 && word[2] == 0 && full[1] == 'y');
    assert(l.a == 1 && l.b[0] == 2 && l.b[2] == 0 && l.e.d == 3);
    struct s *c = &(struct s){.a = 9};
    assert(c->a == 9 && c->e.c == 0);
}
