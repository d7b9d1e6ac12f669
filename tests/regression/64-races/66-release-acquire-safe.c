//EXPECT: SAFE
//ARGS: --check races
// Who reads the flag with acquire synchronises with who set it with release; atomic_init comes before the other thread.
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int ready;

void *producer(void *unused)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    atomic_init(&ready, 0);
    pthread_create(&t, 0, producer, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = data;
    pthread_join(t, 0);
    return seen;
}
