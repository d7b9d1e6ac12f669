//EXPECT: SAFE
//ARGS: --check assertions --memory-model sc
//REASON: weaker orders at lines
// Interleavings do not tell orders apart; the answer says where they are weaker.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen_1, seen_2;

void *first(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    seen_1 = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}

void *second(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    seen_2 = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen_1 || seen_2);
    return 0;
}
