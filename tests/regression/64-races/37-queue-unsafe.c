//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The producer writes to the item that it has given away.
#include <pthread.h>
int items[2], *queue[2], count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void put(int *item)
{
    pthread_mutex_lock(&m);
    queue[count++] = item;
    pthread_mutex_unlock(&m);
}

void *consumer(void *unused)
{
    int *item = 0;
    pthread_mutex_lock(&m);
    if (count > 0)
        item = queue[--count];
    pthread_mutex_unlock(&m);
    if (item)
        *item += 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, consumer, 0);
    put(&items[0]);
    items[0] = 1;
    pthread_join(t, 0);
    return 0;
}
