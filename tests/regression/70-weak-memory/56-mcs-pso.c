//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model pso
// The queue lock of Mellor-Crummey and Scott: the lock is handed over by a relaxed write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct node { _Atomic(struct node *) next; atomic_int waits; };
struct node nodes[2];
_Atomic(struct node *) last;
int inside;
void *worker(void *number)
{
    struct node *own = number;
    for (int i = 0; i < 2; i++) {
        atomic_store_explicit(&own->next, NULL, memory_order_relaxed);
        atomic_store_explicit(&own->waits, 1, memory_order_relaxed);
        struct node *before = atomic_exchange(&last, own);
        if (before) {
            atomic_store_explicit(&before->next, own, memory_order_release);
            while (atomic_load_explicit(&own->waits, memory_order_acquire)) ;
        }
        inside++; assert(inside == 1); inside--;
        struct node *after = atomic_load_explicit(&own->next, memory_order_acquire);
        if (!after) {
            struct node *expected = own;
            if (atomic_compare_exchange_strong(&last, &expected, NULL)) continue;
            do after = atomic_load_explicit(&own->next, memory_order_acquire); while (!after);
        }
        atomic_store_explicit(&after->waits, 0, memory_order_relaxed);
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, &nodes[0]); pthread_create(&b, 0, worker, &nodes[1]);
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}
