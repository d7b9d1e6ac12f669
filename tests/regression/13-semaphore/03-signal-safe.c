//EXPECT: SAFE
// The waiter goes on only after the post.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ready;
int data;

void *producer(void *arg)
{
    data = 42;
    sem_post(&ready);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, producer, 0);
    sem_wait(&ready);
    assert(data == 42);
    pthread_join(t, 0);
}
