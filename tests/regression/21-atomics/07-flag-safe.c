//EXPECT: SAFE
// atomic_flag is a lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag f = ATOMIC_FLAG_INIT;
int inside;

void *worker(void *arg)
{
    if (!atomic_flag_test_and_set(&f)) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
        atomic_flag_clear(&f);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
