//EXPECT: UNSAFE
// The error is reached only if the mutex is not robust, and that is told.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    int robust;
    pthread_mutexattr_t a;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutexattr_init(&a);
    if (pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED) != 0) return 0;
    if (pthread_mutexattr_getrobust(&a, &robust) != 0 || robust != PTHREAD_MUTEX_STALLED) return 0;
    assert(pthread_mutex_consistent(&m) != EINVAL);
}
