//EXPECT: SAFE
// The attributes of condition variables are kept.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void)
{
    pthread_condattr_t a;
    clockid_t clock;
    int v;
    pthread_condattr_init(&a);
    assert(pthread_condattr_setclock(&a, CLOCK_MONOTONIC) == 0);
    pthread_condattr_getclock(&a, &clock);
    assert(clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_setclock(&a, 99) == EINVAL);
    assert(pthread_condattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    pthread_condattr_getpshared(&a, &v);
    assert(v == PTHREAD_PROCESS_SHARED);
    pthread_condattr_destroy(&a);
}
