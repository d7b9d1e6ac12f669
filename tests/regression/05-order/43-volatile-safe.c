//EXPECT: SAFE
// In the order of the statements: y first, then x.
#include <assert.h>
#include <pthread.h>

volatile int x, y;

void *worker(void *arg)
{
    x = 1;
    y = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int late = y;
    int early = x;
    assert(2 * late + early != 2);
}
