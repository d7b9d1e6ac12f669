// The signal may come before anybody waits for it, and then nobody comes.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread waiter waits
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t there = PTHREAD_COND_INITIALIZER;
int ready;

void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&there, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&there);
    pthread_mutex_unlock(&lock);
    pthread_join(other, 0);
    return 0;
}
