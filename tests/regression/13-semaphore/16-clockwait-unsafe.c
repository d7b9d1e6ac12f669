//EXPECT: UNSAFE
// sem_clockwait may time out.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t sem;
int ready;
struct timespec until = {1, 0};

void *poster(void *arg)
{
    ready = 1;
    sem_post(&sem);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&sem, 0, 0);
    pthread_create(&t, 0, poster, 0);
    sem_clockwait(&sem, CLOCK_MONOTONIC, &until);
    assert(ready == 1);
    return 0;
}
