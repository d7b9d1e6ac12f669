//EXPECT: UNSAFE
// Each read of a shared variable may give another value.
#include <assert.h>
#include <pthread.h>

volatile int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int a = x, b = x;
    assert(a == b);
}
