//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: deadlock
// Two wait at a barrier for three.
#include <pthread.h>
pthread_barrier_t barrier;

void *worker(void *unused)
{
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&barrier);
    pthread_join(t, 0);
    return 0;
}
