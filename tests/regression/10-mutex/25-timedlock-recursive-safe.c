//EXPECT: SAFE
// The owner of a recursive mutex never times out.
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m;

int main(void)
{
    struct timespec until = {0, 0};
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_timedlock(&m, &until) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
}
