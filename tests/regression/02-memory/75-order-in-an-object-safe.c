//EXPECT: SAFE
// Within one object, order and distance are C's; and the number of an address is the same each time.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct node { int x, y; };

int main(void)
{
    int a[4];
    struct node *n = malloc(sizeof *n), *m = malloc(sizeof *m);
    int *p = &a[1], *end = a + 4;
    assert(p < end && end - p == 3);
    assert(&n->x < &n->y && (uintptr_t)&n->x < (uintptr_t)&n->y);
    assert(n != m && (uintptr_t)n == (uintptr_t)n);
    uintptr_t tagged = (uintptr_t)n | 1;
    assert((tagged & 1) == 1 && (struct node *)(tagged & ~(uintptr_t)1) == n);
}
