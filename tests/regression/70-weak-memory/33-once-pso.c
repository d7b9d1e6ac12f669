//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
// What `pthread_once` has done is visible to all who pass it.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int table, size;

void fill(void)
{
    table = 1;
    size = 1;
}

void *worker(void *unused)
{
    pthread_once(&once, fill);
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
