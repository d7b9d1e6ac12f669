//EXPECT: UNSAFE
// The error is reached only if the attributes are kept and a barrier of one never blocks.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#define NEED(condition) if (!(condition)) return 0

pthread_barrier_t b;

int main(void)
{
    int v;
    pthread_barrierattr_t a;
    NEED(pthread_barrierattr_init(&a) == 0);
    NEED(pthread_barrierattr_setpshared(&a, 5) == EINVAL);
    NEED(pthread_barrierattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    NEED(pthread_barrierattr_getpshared(&a, &v) == 0 && v == PTHREAD_PROCESS_SHARED);
    NEED(pthread_barrier_init(&b, &a, 1) == 0);
    NEED(pthread_barrierattr_destroy(&a) == 0);
    NEED(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    NEED(pthread_barrier_destroy(&b) == 0);
    assert(0);
}
