//EXPECT: UNSAFE
// Without the mutex a node can be lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
struct node *head;

void *push(void *arg)
{
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->value = 1;
    n->next = head;
    head = n;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, push, 0);
    push(0);
    pthread_join(t, 0);
    assert(head->next);
}
