//EXPECT: SAFE
// pthread_rwlock_clockwrlock and clockrdlock hold the lock if they return 0.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
struct timespec until = {1, 0};
int a, b;

void *reader(void *arg)
{
    if (pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &until) != 0) return 0;
    assert(a == b);
    pthread_rwlock_unlock(&lock);
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
