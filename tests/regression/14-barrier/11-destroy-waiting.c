//EXPECT: UNKNOWN
//REASON: undefined
// A barrier at which a thread waits must not be destroyed.
#include <pthread.h>

pthread_barrier_t b;

void *worker(void *arg)
{
    pthread_barrier_wait(&b);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_destroy(&b);
}
