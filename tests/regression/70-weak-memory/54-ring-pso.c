//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model pso
// The index may become visible before the item.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SIZE 2
int ring[SIZE];
atomic_uint head, tail;
void *producer(void *unused)
{
    int next = 0;
    for (;;) {
        unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
        if ((h - atomic_load_explicit(&tail, memory_order_acquire)) % 4 == SIZE)
            continue;
        ring[h % SIZE] = next;
        next = !next;
        atomic_store_explicit(&head, (h + 1) % 4, memory_order_relaxed);
    }
    return 0;
}
void *consumer(void *unused)
{
    int expected = 0;
    for (;;) {
        unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
        if (atomic_load_explicit(&head, memory_order_acquire) == t)
            continue;
        int got = ring[t % SIZE];
        assert(got == expected);
        expected = !expected;
        atomic_store_explicit(&tail, (t + 1) % 4, memory_order_relaxed);
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0); pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}
