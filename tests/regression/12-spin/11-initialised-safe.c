//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Initialised, used, destroyed, and initialised again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_spinlock_t lock;

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_spin_init(&lock, 0);
        pthread_spin_lock(&lock);
        assert(pthread_spin_trylock(&lock) == EBUSY);
        pthread_spin_unlock(&lock);
        pthread_spin_destroy(&lock);
    }
    return 0;
}
