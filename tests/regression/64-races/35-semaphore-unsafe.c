//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// It is posted before x is written.
#include <pthread.h>
#include <semaphore.h>
int x;
sem_t full;

void *producer(void *unused)
{
    sem_post(&full);
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&full, 0, 0);
    pthread_create(&t, 0, producer, 0);
    sem_wait(&full);
    x++;
    pthread_join(t, 0);
    return x;
}
