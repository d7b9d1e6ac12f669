//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model pso
// A flag instead is not enough.
#include <assert.h>
#include <pthread.h>

volatile int once;
int table, size;

void fill(void)
{
    table = 1;
    size = 1;
}

void *worker(void *unused)
{
    if (!once) {
        fill();
        once = 1;
    }
    assert(table == size);
    assert(size == 1);
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
