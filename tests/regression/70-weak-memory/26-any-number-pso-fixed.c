//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
//VACUOUS: main creates threads for ever
// The proof is for every number of threads.
#include <assert.h>
#include <pthread.h>

volatile int held, inside;

void *worker(void *unused)
{
    while (__sync_lock_test_and_set(&held, 1))
        ;
    inside++;
    assert(inside == 1);
    inside--;
    __sync_lock_release(&held);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t a;
        pthread_create(&a, 0, worker, 0);
    }
    return 0;
}
