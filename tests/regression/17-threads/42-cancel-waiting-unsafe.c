//EXPECT: UNSAFE
// A thread that waits on a condition variable is cancelled there, with the mutex locked again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, held;

void handler(void *arg)
{
    held = pthread_mutex_trylock(&m) == EBUSY;
    pthread_mutex_unlock(&m);
}

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(handler, 0);
    while (!ready) pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    pthread_mutex_lock(&m);
    if (result != PTHREAD_CANCELED) return 0;
    assert(!held);
}
