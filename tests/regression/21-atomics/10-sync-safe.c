//EXPECT: SAFE
// The old builtins of GCC.
#include <assert.h>
#include <pthread.h>

int x, lock;

void *worker(void *arg)
{
    while (__sync_lock_test_and_set(&lock, 1)) {}
    x = x + 1;
    __sync_lock_release(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    __sync_synchronize();
    assert(x == 2);
    assert(__sync_fetch_and_add(&x, 3) == 2);
    assert(__sync_add_and_fetch(&x, 1) == 6);
    assert(__sync_bool_compare_and_swap(&x, 6, 9));
    assert(__sync_val_compare_and_swap(&x, 6, 0) == 9);
    assert(x == 9);
}
