//EXPECT: UNSAFE
// Treiber's stack whose nodes are used again: the ABA problem. A thread that
// pops reads the top A and its successor B, and is then suspended. Others pop A
// and B and push A again. Its compare-and-swap finds A on top, as expected, and
// makes B the top, which is not in the stack any more.
//
// Shows: a counterexample that needs just the right switches between threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int in_use; // 1 while somebody has popped it
    struct node *_Atomic next;
};

struct node b = {0, 0};
struct node a = {0, &b};
_Atomic(struct node *) top = &a;

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

void *other(void *arg)
{
    struct node *first = pop();
    struct node *second = pop();
    if (second) second->in_use = 1; // it keeps the second node ...
    if (first) push(first);         // ... and gives the first one back
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pop();
    struct node *n = pop();
    if (n) assert(!n->in_use);
    pthread_join(t, 0);
}
