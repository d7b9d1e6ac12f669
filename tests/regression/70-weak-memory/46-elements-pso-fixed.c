//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
// With a fence for writes.
#include <assert.h>
#include <pthread.h>

void *worker(void *argument)
{
    volatile int *cells = argument;
    cells[0] = 1;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    cells[1] = 1;
    return 0;
}

int main(void)
{
    pthread_t a;
    volatile int cells[2] = {0, 0};
    pthread_create(&a, 0, worker, (void *)cells);
    int second = cells[1];
    int first = cells[0];
    assert(!second || first);
    pthread_join(a, 0);
    return 0;
}
