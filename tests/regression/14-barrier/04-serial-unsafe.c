//EXPECT: UNSAFE
// It is not said which thread that is: not always the last that arrives.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
_Atomic int arrived;

void *worker(void *arg)
{
    int place = ++arrived;
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) assert(place == 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
