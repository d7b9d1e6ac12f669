//EXPECT: UNSAFE
// The error is reached only if the attributes are kept and a broadcast needs no waiter.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#define NEED(condition) if (!(condition)) return 0

pthread_cond_t c;

int main(void)
{
    int v;
    clockid_t clock;
    pthread_condattr_t a;
    NEED(pthread_condattr_init(&a) == 0);
    NEED(pthread_condattr_getclock(&a, &clock) == 0 && clock == CLOCK_REALTIME);
    NEED(pthread_condattr_setclock(&a, CLOCK_MONOTONIC) == 0);
    NEED(pthread_condattr_getclock(&a, &clock) == 0 && clock == CLOCK_MONOTONIC);
    NEED(pthread_condattr_setpshared(&a, 8) == EINVAL);
    NEED(pthread_condattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    NEED(pthread_condattr_getpshared(&a, &v) == 0 && v == PTHREAD_PROCESS_SHARED);
    NEED(pthread_cond_init(&c, &a) == 0);
    NEED(pthread_condattr_destroy(&a) == 0);
    NEED(pthread_cond_broadcast(&c) == 0 && pthread_cond_signal(&c) == 0);
    NEED(pthread_cond_destroy(&c) == 0);
    assert(0);
}
