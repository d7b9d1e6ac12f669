//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
//VACUOUS: the threads run for ever
//REASON: memory is that of the model pso
// With fences for writes, too.
#include <assert.h>
#include <pthread.h>

volatile int wants_1, wants_2, turn, inside;

void *first(void *unused)
{
    for (;;) {
        wants_1 = 1;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        turn = 2;
        __sync_synchronize();
        while (wants_2 && turn == 2)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        wants_1 = 0;
    }
    return 0;
}


void *second(void *unused)
{
    for (;;) {
        wants_2 = 1;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        turn = 1;
        __sync_synchronize();
        while (wants_1 && turn == 1)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        wants_2 = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
