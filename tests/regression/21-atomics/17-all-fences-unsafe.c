//EXPECT: UNSAFE
// A fence orders, it does not exclude: both threads can see the other's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, y, a, b;

void *worker(void *arg)
{
    x = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    a = y;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    y = 1;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    __sync_synchronize();
    b = x;
    pthread_join(t, 0);
    assert(a == 0 || b == 0);
}
