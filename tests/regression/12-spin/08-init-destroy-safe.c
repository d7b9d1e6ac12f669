//EXPECT: SAFE
// After pthread_spin_destroy the lock can be initialised anew, and is free then.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_spinlock_t l;

int main(void)
{
    assert(pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_spin_lock(&l) == 0);
    assert(pthread_spin_unlock(&l) == 0);
    assert(pthread_spin_destroy(&l) == 0);
    assert(pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_spin_trylock(&l) == 0);
    assert(pthread_spin_trylock(&l) == EBUSY);
}
