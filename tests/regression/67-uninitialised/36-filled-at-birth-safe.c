//EXPECT: SAFE
//ARGS: --check undefined
// All members are written before anything else can see the node: nothing has to be noted, and nothing is assumed of values.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *head;

static int push(int value) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return -1;
    node->value = value;
    node->next = head;
    head = node;
    return 0;
}

int main(void) {
    push(1);
    push(2);
    return head->value + head->next->value == 3 && !head->next->next;
}
