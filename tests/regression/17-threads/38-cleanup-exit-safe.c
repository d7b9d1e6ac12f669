//EXPECT: SAFE
// A popped handler does not run at pthread_exit, one that is pushed runs once.
#include <assert.h>
#include <pthread.h>

int first, second;

void handler(void *arg) { ++*(int *)arg; }

void *worker(void *arg)
{
    pthread_cleanup_push(handler, &first);
    pthread_cleanup_push(handler, &second);
    pthread_cleanup_pop(0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(first == 1 && second == 0);
}
