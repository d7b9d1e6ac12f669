//EXPECT: SAFE
// The timed functions get a free lock at once, and else time out or get it later.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *writer(void *arg)
{
    struct timespec until = {0, 0};
    int r = pthread_rwlock_timedwrlock(&l, &until);
    assert(r == 0 || r == ETIMEDOUT);
    if (r == 0) {
        x = 1;
        x = 0;
        pthread_rwlock_unlock(&l);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    assert(pthread_rwlock_timedrdlock(&l, &until) == 0);
    pthread_create(&t, 0, writer, 0);
    assert(x == 0);
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
}
