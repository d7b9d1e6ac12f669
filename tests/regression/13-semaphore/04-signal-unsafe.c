//EXPECT: UNSAFE
// The post comes before the data.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ready;
int data;

void *producer(void *arg)
{
    sem_post(&ready);
    data = 42;
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, producer, 0);
    sem_wait(&ready);
    assert(data == 42);
}
