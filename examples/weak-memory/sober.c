//EXPECT: UNSAFE
//ARGS: --check deadlocks --memory-model tso
//REASON: delayed: is_idling = 1
/* A thread that has nothing to do goes to sleep, and another one that has work for it wakes it up, as in the CLR (S. Burckhardt,
   M. Musuvathi: Effective program verification for relaxed memory models. CAV 2008). Each tells the other by a flag, and asks the other's flag
   before it takes or leaves out the slow path. In an interleaving one of the two reads comes after both writes. With store buffers both may read
   before any write is visible: the sleeper sleeps, and nobody wakes it up. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
volatile int is_idling, has_work;

void *sleeper(void *unused)
{
    pthread_mutex_lock(&lock);
    is_idling = 1;
    while (!has_work)
        pthread_cond_wait(&wake, &lock);
    is_idling = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *waker(void *unused)
{
    has_work = 1;
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
