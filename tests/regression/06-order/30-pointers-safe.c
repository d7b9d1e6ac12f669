//EXPECT: SAFE
// Pointers that differ do not meet; nor do two members.
#include <assert.h>

int a[2], b[2];
struct node {
    struct node *next, *before;
    int values[2], size;
} node;

int main(void)
{
    int *p = a, *q = a + 1;
    *p = *q = 1;
    *p++ = *q;
    struct node *n = &node;
    n->next = n->before = n;
    n->values[n->size++] = 3;
    assert(node.values[0] == 3 && node.size == 1 && a[0] == 1);
}
