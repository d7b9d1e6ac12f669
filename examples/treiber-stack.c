//EXPECT: SAFE
// Treiber's lock-free stack. A node is pushed and popped by a compare-and-swap
// of the top; here two threads push a node each and then pop one each.
//
// Shows: pointers, and that nothing is lost or popped twice. The nodes are not
// used again, so the stack has no ABA problem.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
    struct node *next;
};

_Atomic(struct node *) top;
struct node nodes[2] = {{1, 0}, {2, 0}};
int popped[2];

void push(struct node *n)
{
    struct node *old = atomic_load(&top);
    do n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
}

struct node *pop(void)
{
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next)) {}
    return old;
}

void work(int i)
{
    push(&nodes[i]);
    struct node *n = pop();
    assert(n); // everybody pushes first: there is one left
    popped[i] = n->value;
}

void *worker(void *arg)
{
    work(1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    work(0);
    pthread_join(t, 0);
    assert(top == 0);
    assert(popped[0] + popped[1] == 3 && popped[0] != popped[1]);
}
