//EXPECT: SAFE
// A barrier for no thread is EINVAL.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_barrier_t b;

int main(void)
{
    pthread_barrierattr_t a;
    int v;
    pthread_barrierattr_init(&a);
    assert(pthread_barrierattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    pthread_barrierattr_getpshared(&a, &v);
    assert(v == PTHREAD_PROCESS_SHARED);
    assert(pthread_barrier_init(&b, &a, 0) == EINVAL);
    assert(pthread_barrier_init(&b, &a, 1) == 0);
    assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_barrierattr_destroy(&a);
}
