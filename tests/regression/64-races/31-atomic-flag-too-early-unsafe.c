//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The flag is set before the data is written.
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int ready;

void *producer(void *unused)
{
    ready = 1;
    data = 42;
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, 0, producer, 0);
    if (ready)
        seen = data;
    pthread_join(t, 0);
    return seen;
}
