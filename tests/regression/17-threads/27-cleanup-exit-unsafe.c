//EXPECT: UNSAFE
// pthread_exit runs the cleanup handlers, the last one first.
#include <assert.h>
#include <pthread.h>

int order;

void handler(void *arg) { order = order * 10 + *(int *)arg; }

void *worker(void *arg)
{
    static int one = 1, two = 2;
    pthread_cleanup_push(handler, &one);
    pthread_cleanup_push(handler, &two);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(order != 21);
}
