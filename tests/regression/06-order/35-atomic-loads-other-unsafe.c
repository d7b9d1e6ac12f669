//EXPECT: UNSAFE
// The same for the right operand first.
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
    assert(atomic_load(&y) - atomic_load(&x) <= 0);
}
