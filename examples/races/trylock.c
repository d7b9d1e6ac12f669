// Whether the lock was free is asked, but the cache is changed in any case.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on cache
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int cache;

void *worker(void *unused)
{
    int busy = pthread_mutex_trylock(&lock);
    cache++;
    if (!busy) pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return cache;
}
