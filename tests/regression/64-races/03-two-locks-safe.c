//EXPECT: SAFE
//ARGS: --check races
// Both take the same lock.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *lock)
{
    pthread_mutex_lock(lock);
    x++;
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, &m);
    pthread_create(&b, 0, worker, &m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x;
}
