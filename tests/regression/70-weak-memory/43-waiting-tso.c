//EXPECT: SAFE
//ARGS: --check deadlocks --memory-model tso
// What waits in a buffer becomes visible while its thread waits: no deadlock.
#include <assert.h>
#include <pthread.h>

volatile int ready, done;

void *first(void *unused)
{
    ready = 1;
    while (!done)
        ;
    return 0;
}

void *second(void *unused)
{
    while (!ready)
        ;
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
