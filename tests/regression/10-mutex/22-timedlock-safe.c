//EXPECT: SAFE
// Who gets the mutex in time is alone; a free mutex is got at once.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *worker(void *arg)
{
    struct timespec until = {0, 0};
    int r = pthread_mutex_timedlock(&m, &until);
    assert(r == 0 || r == ETIMEDOUT);
    if (r == 0) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    assert(pthread_mutex_timedlock(&m, &until) == 0);
    pthread_mutex_unlock(&m);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
