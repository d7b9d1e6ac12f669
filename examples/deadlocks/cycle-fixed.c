// All threads take the locks in one order.
//EXPECT: SAFE
//ARGS: --check deadlocks
//REASON: No deadlock can happen
#include <pthread.h>
pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER, cache = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused)
{
    pthread_mutex_lock(&disk);
    pthread_mutex_lock(&cache);
    pthread_mutex_unlock(&cache);
    pthread_mutex_unlock(&disk);
    return 0;
}

void *reader(void *unused)
{
    pthread_mutex_lock(&disk);
    pthread_mutex_lock(&cache);
    pthread_mutex_unlock(&cache);
    pthread_mutex_unlock(&disk);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
