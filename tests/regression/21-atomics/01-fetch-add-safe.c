//EXPECT: SAFE
// atomic_fetch_add is one step and returns the old value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int old[2];

void *worker(void *arg)
{
    *(int *)arg = atomic_fetch_add(&x, 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, &old[0]);
    worker(&old[1]);
    pthread_join(t, 0);
    assert(x == 2);
    assert(old[0] + old[1] == 1);
}
