//EXPECT: SAFE
// A mutex that is not robust cannot be made consistent.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    int robust;
    pthread_mutexattr_t a;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutexattr_init(&a);
    assert(pthread_mutexattr_getrobust(&a, &robust) == 0 && robust == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED) == 0);
    assert(pthread_mutexattr_setrobust(&a, 7) == EINVAL);
    assert(pthread_mutex_consistent(&m) == EINVAL);
}
