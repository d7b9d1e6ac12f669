//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
// The deque of Chase and Lev.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define EMPTY 0
#define SIZE 4
atomic_int top, bottom, items[SIZE];
int taken[3];
void push(int item)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&items[b % SIZE], item, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
}
int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t > b) { atomic_store_explicit(&bottom, b + 1, memory_order_relaxed); return EMPTY; }
    int item = atomic_load_explicit(&items[b % SIZE], memory_order_relaxed);
    if (t == b) {
        if (!atomic_compare_exchange_strong(&top, &t, t + 1)) item = EMPTY;
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
    return item;
}
int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b) return EMPTY;
    int item = atomic_load_explicit(&items[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong(&top, &t, t + 1)) return EMPTY;
    return item;
}
void *owner(void *unused)
{
    push(1); push(2);
    int a = take(); if (a) { __sync_fetch_and_add(&taken[a], 1); }
    int b = take(); if (b) { __sync_fetch_and_add(&taken[b], 1); }
    return 0;
}
void *thief(void *unused)
{
    int a = steal(); if (a) { __sync_fetch_and_add(&taken[a], 1); }
    int b = steal(); if (b) { __sync_fetch_and_add(&taken[b], 1); }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0); pthread_create(&b, 0, thief, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(taken[1] <= 1 && taken[2] <= 1);
    return 0;
}
