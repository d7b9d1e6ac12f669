//EXPECT: UNSAFE
// A fence is not a lock.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    __sync_synchronize();
    x = x + 1;
    __sync_synchronize();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 2);
}
