//EXPECT: UNSAFE
// trylock fails while the other thread is inside.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t l;

void *worker(void *arg)
{
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, worker, 0);
    assert(pthread_spin_trylock(&l) == 0);
}
