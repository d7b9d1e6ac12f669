//EXPECT: SAFE
// A time with too many nanoseconds is EINVAL if the thread would block; EDEADLK comes first.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t checking;

int main(void)
{
    struct timespec until = {0, 1000000000};
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &a);
    assert(pthread_mutex_timedlock(&m, &until) == 0);
    assert(pthread_mutex_timedlock(&m, &until) == EINVAL);
    assert(pthread_mutex_timedlock(&checking, &until) == 0);
    assert(pthread_mutex_timedlock(&checking, &until) == EDEADLK);
}
