//EXPECT: SAFE
//ARGS: --check undefined
// Each thread has its own, and the one of all is initialised by one of them.
#include <pthread.h>

pthread_mutex_t lock;
pthread_once_t once = PTHREAD_ONCE_INIT;

void initialise(void)
{
    pthread_mutex_init(&lock, 0);
}

void *worker(void *unused)
{
    pthread_mutex_t own;
    pthread_mutex_init(&own, 0);
    pthread_mutex_lock(&own);
    pthread_once(&once, initialise);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&own);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
