//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: use of a spin lock that is destroyed or not initialised
// A spin lock must be initialised by `pthread_spin_init`; glibc takes zeros for a locked one, and this program hangs.
#include <pthread.h>
pthread_spinlock_t lock;

int main(void) {
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return 0;
}
