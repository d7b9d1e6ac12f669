// What is in the queue belongs to who takes it out.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `queue` is protected by `lock`
//REASON: `buffer` is handed over by `lock`
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int buffer[2], *queue;

void put(int *item)
{
    pthread_mutex_lock(&lock);
    queue = item;
    pthread_mutex_unlock(&lock);
}

int *take(void)
{
    pthread_mutex_lock(&lock);
    int *item = queue;
    queue = 0;
    pthread_mutex_unlock(&lock);
    return item;
}

void *consumer(void *unused)
{
    int *item = take();
    if (item)
        *item = 0;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, consumer, 0);
    pthread_create(&second, 0, consumer, 0);
    buffer[1] = 7;
    put(&buffer[1]);
    return 0;
}
