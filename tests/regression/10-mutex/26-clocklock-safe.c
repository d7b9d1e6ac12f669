//EXPECT: SAFE
// clocklock on a free mutex succeeds; a strange clock is EINVAL.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    struct timespec until = {0, 0};
    assert(pthread_mutex_clocklock(&m, 77, &until) == EINVAL);
    assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &until) == 0);
    assert(pthread_mutex_trylock(&m) == EBUSY);
}
