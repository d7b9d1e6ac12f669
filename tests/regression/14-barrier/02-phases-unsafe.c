//EXPECT: UNSAFE
// A barrier for one thread stops nobody.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int x;

void *worker(void *arg)
{
    x = 1;
    pthread_barrier_wait(&b);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 1);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&b);
    assert(x == 1);
}
