//EXPECT: SAFE
// clockwait is timedwait with another clock.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void)
{
    struct timespec until = {0, 0};
    pthread_mutex_lock(&m);
    int r = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until);
    assert(r == 0 || r == ETIMEDOUT);
    assert(pthread_mutex_trylock(&m) == EBUSY);
}
