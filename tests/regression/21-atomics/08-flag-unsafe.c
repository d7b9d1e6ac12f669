//EXPECT: UNSAFE
// The flag is cleared too early.
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
        atomic_flag_clear(&f);
        inside = 0;
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
