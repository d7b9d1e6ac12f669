//EXPECT: UNSAFE
// The error is reached only if every attribute is kept, and a mutex can be destroyed and used anew.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#define NEED(condition) if (!(condition)) return 0

int main(void)
{
    int v;
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    NEED(pthread_mutexattr_init(&a) == 0);
    NEED(pthread_mutexattr_setpshared(&a, 7) == EINVAL);
    NEED(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    NEED(pthread_mutexattr_getpshared(&a, &v) == 0 && v == PTHREAD_PROCESS_SHARED);
    NEED(pthread_mutexattr_getprotocol(&a, &v) == 0 && v == PTHREAD_PRIO_NONE);
    NEED(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
    NEED(pthread_mutexattr_getprotocol(&a, &v) == 0 && v == PTHREAD_PRIO_INHERIT);
    NEED(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE) == 0);
    NEED(pthread_mutex_init(&m, &a) == 0);
    NEED(pthread_mutexattr_destroy(&a) == 0);
    NEED(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == 0);
    NEED(pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    NEED(pthread_mutex_destroy(&m) == 0);
    NEED(pthread_mutex_init(&m, 0) == 0 && pthread_mutex_trylock(&m) == 0);
    assert(0);
}
