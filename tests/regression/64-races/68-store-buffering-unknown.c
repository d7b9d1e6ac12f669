//EXPECT: UNKNOWN
//ARGS: --check races
//REASON: a memory order weaker than `seq_cst`
// With release and acquire each may miss what the other has written: this is a race in C11, and in no interleaving.
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int mine, theirs;

void *worker(void *unused)
{
    atomic_store_explicit(&mine, 1, memory_order_release);
    if (!atomic_load_explicit(&theirs, memory_order_acquire))
        data = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    atomic_store_explicit(&theirs, 1, memory_order_release);
    if (!atomic_load_explicit(&mine, memory_order_acquire))
        data = 2;
    pthread_join(t, 0);
    return data;
}
