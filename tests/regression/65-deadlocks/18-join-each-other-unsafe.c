//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: deadlock
// Each waits until the other has ended.
#include <pthread.h>
pthread_t t, u;
pthread_barrier_t created;

void *first(void *unused)
{
    pthread_barrier_wait(&created);
    pthread_join(u, 0);
    return 0;
}

void *second(void *unused)
{
    pthread_barrier_wait(&created);
    pthread_join(t, 0);
    return 0;
}

int main(void)
{
    pthread_barrier_init(&created, 0, 3);
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_barrier_wait(&created);
    pthread_exit(0);
}
