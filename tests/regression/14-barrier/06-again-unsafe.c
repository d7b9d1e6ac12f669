//EXPECT: UNSAFE
// Between the two rounds the threads run freely.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int x;

void *worker(void *arg)
{
    pthread_barrier_wait(&b);
    x = 1;
    pthread_barrier_wait(&b);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&b);
    assert(x == 0);
    pthread_barrier_wait(&b);
}
