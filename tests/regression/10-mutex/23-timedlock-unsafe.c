//EXPECT: UNSAFE
// The time can be over before the mutex is free.
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    pthread_create(&t, 0, worker, 0);
    assert(pthread_mutex_timedlock(&m, &until) == 0);
}
