//EXPECT: SAFE
//ARGS: --check assertions,memory
// Nodes on the stack that are taken out before they are gone.
#include <assert.h>
struct node {
    struct node *next;
    int value;
} *head;
int total(void) {
    int sum = 0;
    for (struct node *n = head; n; n = n->next) sum += n->value;
    return sum;
}
int push(int depth) {
    struct node own = {head, depth};
    head = &own;
    int sum = depth ? push(depth - 1) : total();
    head = own.next;
    return sum;
}
int main(void) {
    assert(push(2) == 3);
    assert(push(1) == 1);
    assert(head == 0);
}
