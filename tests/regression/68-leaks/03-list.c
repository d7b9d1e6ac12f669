//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: `heap@13`, 16 bytes
//REASON: in push, called at
// `pop` unlinks a node and does not free it.
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
    list = node->next;
    return node->value;
}

int main(void)
{
    push(1);
    push(2);
    pop();
    return 0;
}
