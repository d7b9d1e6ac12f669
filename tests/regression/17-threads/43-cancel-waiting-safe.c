//EXPECT: SAFE
// The only way out of a semaphore that nobody posts is to be cancelled.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t never;
int passed;

void *worker(void *arg)
{
    sem_wait(&never);
    passed = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && !passed);
}
