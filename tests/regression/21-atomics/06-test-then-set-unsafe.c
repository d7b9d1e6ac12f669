//EXPECT: UNSAFE
// A lock that tests in one step and sets in another is none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int locked;
int x;

void *worker(void *arg)
{
    while (atomic_load(&locked)) {}
    atomic_store(&locked, 1);
    x = x + 1;
    atomic_store(&locked, 0);
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
