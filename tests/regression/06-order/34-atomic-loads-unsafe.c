//EXPECT: UNSAFE
// Read in the order x, y: x is still 0, y is 1 already.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

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
    assert(atomic_load(&x) - atomic_load(&y) >= 0);
}
