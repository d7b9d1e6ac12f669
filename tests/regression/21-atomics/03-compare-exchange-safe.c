//EXPECT: SAFE
// Exactly one of two compare-and-exchanges succeeds; the other learns the value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
atomic_int won;

void *worker(void *arg)
{
    int expected = 0;
    if (atomic_compare_exchange_strong(&x, &expected, 1))
        won++;
    else
        assert(expected == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(won == 1);
}
