//EXPECT: UNSAFE
// A timed reader can time out while a writer is inside.
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *writer(void *arg)
{
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    pthread_create(&t, 0, writer, 0);
    assert(pthread_rwlock_timedrdlock(&l, &until) == 0);
}
