//EXPECT: SAFE
//ARGS: --check deadlocks --memory-model tso
// With fences one of them sees the other.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t wake;
volatile int work, asleep;

void *sleeper(void *unused)
{
    asleep = 1;
    __sync_synchronize();
    if (!work)
        sem_wait(&wake);
    return 0;
}

void *waker(void *unused)
{
    work = 1;
    __sync_synchronize();
    if (asleep)
        sem_post(&wake);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, sleeper, 0);
    pthread_create(&b, 0, waker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
