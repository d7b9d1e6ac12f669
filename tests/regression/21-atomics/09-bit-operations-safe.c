//EXPECT: SAFE
// fetch_or, fetch_and, fetch_xor, fetch_sub return the old value and are single steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint x;

void *worker(void *arg)
{
    atomic_fetch_or(&x, 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    atomic_fetch_or(&x, 1);
    pthread_join(t, 0);
    assert(atomic_fetch_and(&x, 6) == 3);
    assert(atomic_fetch_xor(&x, 3) == 2);
    assert(atomic_fetch_sub(&x, 2) == 1);
    assert(x == 4294967295u);
}
