// Each thread writes its half before the barrier, and reads the other behind it.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `left` is written by one thread only, and not once another one has read it
#include <pthread.h>
pthread_barrier_t barrier;
int left, right;

void *worker(void *unused)
{
    left = 1;
    pthread_barrier_wait(&barrier);
    return right ? &right : 0;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&other, 0, worker, 0);
    right = 1;
    pthread_barrier_wait(&barrier);
    int sum = left + right;
    pthread_join(other, 0);
    return sum;
}
