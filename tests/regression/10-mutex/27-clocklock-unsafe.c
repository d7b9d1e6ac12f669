//EXPECT: UNSAFE
// clocklock can time out as well.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    struct timespec until = {0, 0};
    assert(pthread_mutex_clocklock(&m, CLOCK_REALTIME, &until) == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
