//EXPECT: SAFE
// What was set is got; an unknown type is EINVAL.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    int v;
    pthread_mutexattr_t a;
    assert(pthread_mutexattr_init(&a) == 0);
    pthread_mutexattr_gettype(&a, &v);
    assert(v == PTHREAD_MUTEX_DEFAULT);
    assert(pthread_mutexattr_settype(&a, 99) == EINVAL);
    assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK) == 0);
    pthread_mutexattr_gettype(&a, &v);
    assert(v == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    pthread_mutexattr_getpshared(&a, &v);
    assert(v == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
    pthread_mutexattr_getprotocol(&a, &v);
    assert(v == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED) == 0);
    assert(pthread_mutexattr_destroy(&a) == 0);
}
