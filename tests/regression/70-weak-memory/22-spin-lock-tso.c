//EXPECT: SAFE
//ARGS: --check assertions --memory-model tso
//VACUOUS: the threads run for ever
// A spin lock that a plain write gives back: a locked instruction waits for all writes, and these become visible in order.
#include <assert.h>
#include <pthread.h>

volatile int held, inside;

void *worker(void *unused)
{
    for (;;) {
        while (__sync_lock_test_and_set(&held, 1))
            while (held)
                ;
        inside++;
        assert(inside == 1);
        inside--;
        held = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
