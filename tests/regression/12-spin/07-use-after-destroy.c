//EXPECT: UNKNOWN
//REASON: use of a spin lock that is destroyed or not initialised
// A destroyed spin lock must not be locked.
#include <pthread.h>

pthread_spinlock_t l;

int main(void)
{
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&l);
    pthread_spin_lock(&l);
}
