//EXPECT: SAFE
// A computation in phases: each thread computes its new cell from the cells of
// both, then all wait, then each stores it, then all wait again.
//
// Shows: a barrier that is used several times keeps the phases apart.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int cell[2] = {1, 2};

void work(int me)
{
    for (int phase = 0; phase < 2; phase++) {
        int sum = cell[0] + cell[1];
        pthread_barrier_wait(&barrier); // everybody has read
        cell[me] = sum;
        pthread_barrier_wait(&barrier); // everybody has written
    }
}

void *worker(void *arg)
{
    work(1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&t, 0, worker, 0);
    work(0);
    pthread_join(t, 0);
    assert(cell[0] == 6 && cell[1] == 6); // (1, 2) -> (3, 3) -> (6, 6)
    pthread_barrier_destroy(&barrier);
}
