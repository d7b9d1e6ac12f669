//EXPECT: SAFE
//ARGS: --check deadlocks --memory-model tso
/* sober.c with fences between the writes and the reads. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
volatile int is_idling, has_work;

void *sleeper(void *unused)
{
    pthread_mutex_lock(&lock);
    is_idling = 1;
    __sync_synchronize();
    while (!has_work)
        pthread_cond_wait(&wake, &lock);
    is_idling = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *waker(void *unused)
{
    has_work = 1;
    __sync_synchronize();
    if (is_idling) {
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&wake);
        pthread_mutex_unlock(&lock);
    }
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
