//EXPECT: SAFE
// Store buffering: under sequential consistency one of the two sees the other's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, y, a, b;

void *worker(void *arg)
{
    x = 1;
    atomic_thread_fence(memory_order_seq_cst);
    a = y;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    y = 1;
    atomic_thread_fence(memory_order_seq_cst);
    b = x;
    pthread_join(t, 0);
    assert(a == 1 || b == 1);
}
