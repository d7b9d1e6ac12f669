// The cache is changed only where the lock was free.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `cache` is protected by `lock`
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int cache;

void *worker(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        cache++;
        pthread_mutex_unlock(&lock);
    }
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
