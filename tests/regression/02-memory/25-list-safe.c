//EXPECT: SAFE
// A list of allocated nodes, built under a mutex.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
struct node *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *push(void *arg)
{
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->value = 1;
    pthread_mutex_lock(&m);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, push, 0);
    push(0);
    pthread_join(t, 0);
    assert(head->value + head->next->value == 2 && !head->next->next);
}
