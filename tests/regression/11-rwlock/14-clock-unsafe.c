//EXPECT: UNSAFE
// pthread_rwlock_clockrdlock may time out, and then the lock is not held.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
struct timespec until = {1, 0};
int a, b;

void *reader(void *arg)
{
    int failed = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &until);
    assert(a == b);
    if (!failed) pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    if (pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until) != 0) return 0;
    a = 1;
    b = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
