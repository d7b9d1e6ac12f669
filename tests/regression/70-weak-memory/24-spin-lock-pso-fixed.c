//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
//VACUOUS: the threads run for ever
// A write that releases.
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
        __sync_lock_release(&held);
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
