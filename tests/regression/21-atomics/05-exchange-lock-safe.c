//EXPECT: SAFE
// A lock made of atomic_exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int locked;
int x;

void *worker(void *arg)
{
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire)) {}
    x = x + 1;
    atomic_store_explicit(&locked, 0, memory_order_release);
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
