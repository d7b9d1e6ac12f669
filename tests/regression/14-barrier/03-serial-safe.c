//EXPECT: SAFE
// Exactly one thread is told that it is the serial one.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
_Atomic int serial;

void *worker(void *arg)
{
    int r = pthread_barrier_wait(&b);
    assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
    if (r) serial++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(serial == 1);
}
