//EXPECT: SAFE
// Pointers to fields, to elements, to pointers.
#include <assert.h>

struct node { int value; struct node *next; };
struct node a = {1, 0}, b = {2, &a};
int t[4] = {10, 20, 30, 40};

void set(int *p, int v) { *p = v; }

int main(void)
{
    struct node *n = &b, **link = &n;
    set(&n->next->value, 7);
    assert(a.value == 7);
    *link = (*link)->next;
    assert(n == &a && n->next == 0);
    int *p = t + 1, *q = &t[3];
    assert(q - p == 2 && *(p + 1) == 30 && p[-1] == 10 && p < q);
    assert(*p++ == 20 && *p == 30 && *--q == 30 && p == q);
    assert(1[t] == 20 && &t[4] == t + 4 && *&*p == 30);
}
