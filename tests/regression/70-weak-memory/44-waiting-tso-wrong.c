//EXPECT: UNSAFE
//ARGS: --check deadlocks --memory-model tso
// Nobody writes what is waited for.
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
    done = 0;
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
