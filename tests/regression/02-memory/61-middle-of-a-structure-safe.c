//EXPECT: SAFE
// From a member back to its structure.
#include <assert.h>
#include <stddef.h>

struct link { struct link *next; };
struct item { char tag; int key; struct link link; };

int main(void)
{
    struct item one = {'a', 5, {0}};
    struct link *l = &one.link;
    struct item *back = (struct item *)((char *)l - offsetof(struct item, link));
    back->key++;
    assert(one.key == 6 && back->tag == 'a');
}
