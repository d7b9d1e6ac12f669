//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model pso
// There is no race, but the count is wrong.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int cells[16];

void *worker(void *unused)
{
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&lock);
        for (int i = 0; i < 16; i++)
            cells[i]++;
        for (int i = 1; i < 16; i++)
            assert(cells[i] == cells[0]);
        pthread_mutex_unlock(&lock);
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
    assert(cells[0] == 5);
    return 0;
}
