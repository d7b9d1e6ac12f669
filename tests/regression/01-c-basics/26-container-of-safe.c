//EXPECT: SAFE
// From a field back to its structure.
#include <assert.h>
#include <stddef.h>

struct list { struct list *next; };
struct item { int value; struct list link; };
struct item a = {5, {0}};

int main(void)
{
    struct list *l = &a.link;
    struct item *i = (struct item *)((char *)l - offsetof(struct item, link));
    assert(i == &a && i->value == 5);
}
