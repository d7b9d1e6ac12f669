//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
//VACUOUS: the threads run for ever
/* latch.c with a fence for writes: what the developers put there first. On Power that is not enough. */
#include <assert.h>
#include <pthread.h>

volatile int latch[2] = {1, 0};
volatile int work[2] = {1, 0};

void *worker(void *number)
{
    int own = number != 0;
    for (;;) {
        while (!latch[own])
            ;
        assert(work[own]);
        latch[own] = 0;
        if (work[own]) {
            work[own] = 0;
            work[1 - own] = 1;
            __atomic_thread_fence(__ATOMIC_RELEASE);
            latch[1 - own] = 1;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, worker, &other);
    worker(0);
    return 0;
}
