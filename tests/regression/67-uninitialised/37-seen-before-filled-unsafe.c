//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `heap@15.next`
// The node can be seen before its second member is written.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static int sum(struct node *node) { return node->next != NULL; }

int main(void) {
    struct node *node = malloc(sizeof *node);
    node->value = sum(node);
    node->next = NULL;
    int result = node->value;
    free(node);
    return result;
}
