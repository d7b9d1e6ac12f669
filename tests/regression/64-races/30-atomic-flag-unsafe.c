//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The flag is plain.
#include <pthread.h>
#include <stdatomic.h>
int data;
int ready;

void *producer(void *unused)
{
    data = 42;
    ready = 1;
    return 0;
}

void *consumer(void *unused)
{
    if (ready)
        return (void *)(long)data;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
