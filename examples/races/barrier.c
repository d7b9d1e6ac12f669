// Behind the barrier one thread still writes what the other reads.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on 
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
    pthread_barrier_wait(&barrier);
    right = 1;
    int sum = left + right;
    pthread_join(other, 0);
    return sum;
}
