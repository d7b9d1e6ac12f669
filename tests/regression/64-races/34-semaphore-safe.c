//EXPECT: SAFE
//ARGS: --check races
// The semaphore hands x over.
#include <pthread.h>
#include <semaphore.h>
int x;
sem_t full;

void *producer(void *unused)
{
    x = 1;
    sem_post(&full);
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
