//EXPECT: UNKNOWN
//ARGS: --check races
//REASON: a memory order weaker than `seq_cst`
// A relaxed flag orders nothing: this is a race in C11, and in no interleaving.
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int ready;

void *producer(void *unused)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
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
