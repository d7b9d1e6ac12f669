//EXPECT: SAFE
// If `y` is read first and is 1, so is `x` afterwards; if `x` is read first, `y` may be the newer one.
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
    int difference = atomic_load(&x) - atomic_load(&y);
    assert(difference >= -1 && difference <= 1);
}
