//EXPECT: SAFE
// A recursive mutex is free only when it was unlocked as often as it was locked.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int x;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_trylock(&m) == 0);
    x = 1;
    pthread_mutex_unlock(&m);
    x = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
