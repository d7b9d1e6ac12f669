//EXPECT: SAFE
//ARGS: --property memsafety.prp
// Variables of `main` lead there to the end, and so do nodes to others.
#include <stdlib.h>

struct node { struct node *next; };

int main(void)
{
    struct node *list = 0, *kept = malloc(sizeof *kept);
    kept->next = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *node = list;
        list = list->next;
        free(node);
    }
    return 0;
}
