//EXPECT: UNSAFE
// After pthread_spin_destroy and pthread_spin_init the lock is free: the second trylock succeeds.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t l;

int main(void)
{
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    if (pthread_spin_destroy(&l) != 0) return 0;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    assert(pthread_spin_trylock(&l) != 0);
}
