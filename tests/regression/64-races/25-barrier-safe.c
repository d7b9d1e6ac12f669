//EXPECT: SAFE
//ARGS: --check races
// Each writes its slot before the barrier and reads that of the other behind it.
#include <pthread.h>
int data[2];
pthread_barrier_t barrier;

void *worker(void *argument)
{
    int id = (int)(long)argument;
    data[id] = 1;
    pthread_barrier_wait(&barrier);
    return (void *)(long)data[1 - id];
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
