//EXPECT: UNSAFE
// Later members have larger addresses (C11 6.5.8, 5).
#include <assert.h>
#include <stdlib.h>

struct node { int x, y; };

int main(void)
{
    struct node *n = malloc(sizeof *n);
    assert(&n->x > &n->y);
}
