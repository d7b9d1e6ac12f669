//EXPECT: SAFE
//ARGS: --check leaks
// What is unlinked is freed; the rest of the list is reached from the global head, node by node.
#include <stdlib.h>

struct node { struct node *next; int value; };
struct node *list;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    list = node;
}

static int pop(void)
{
    struct node *node = list;
    int value = node->value;
    list = node->next;
    free(node);
    return value;
}

int main(void)
{
    push(1);
    push(2);
    push(3);
    pop();
    return 0;
}
