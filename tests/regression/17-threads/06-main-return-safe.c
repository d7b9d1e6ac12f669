//EXPECT: SAFE
//VACUOUS: the thread waits for ever
// When main returns, the program ends: a thread that waits for that never runs on.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    return 0;
}
