//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: and another one
// Two nodes point to each other, and nothing else to either of them.
#include <stdlib.h>

struct node { struct node *other; };

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->other = b;
    b->other = a;
    return 0;
}
