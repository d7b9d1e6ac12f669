//EXPECT: SAFE
//ARGS: --check races
// Both write atomically.
#include <pthread.h>
int x;

void *worker(void *unused)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    pthread_join(t, 0);
    return x;
}
