//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread main waits for m, which it holds itself
// A thread waits for a lock that it holds itself.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_join(t, 0);
    return 0;
}
