//EXPECT: SAFE
// Allocated objects are distinct and keep what is written.
#include <assert.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b) return 0;
    assert(a != b);
    a->value = 1;
    a->next = b;
    b->value = 2;
    b->next = 0;
    assert(a->next->value == 2 && a->value == 1);
    free(a);
    free(b);
}
