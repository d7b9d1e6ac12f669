//EXPECT: SAFE
// After a broadcast the condition variable may be destroyed although waiters have not yet returned.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting, done;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    if (!done) {
        waiting = 1;
        pthread_cond_wait(&c, &m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    done = 1;
    pthread_cond_broadcast(&c);
    pthread_cond_destroy(&c);
    assert(waiting == 0 || waiting == 1);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
