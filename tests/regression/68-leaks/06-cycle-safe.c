//EXPECT: SAFE
//ARGS: --check leaks
// A global points into the middle of one of them.
#include <stdlib.h>

struct node { int value; struct node *other; };
struct node **entry;

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->other = b;
    b->other = a;
    entry = &b->other;
    return 0;
}
