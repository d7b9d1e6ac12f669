//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model pso
// The plain write may become visible before what was done inside.
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
