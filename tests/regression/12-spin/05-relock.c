//EXPECT: UNKNOWN
//REASON: undefined
// To lock one's own spin lock is undefined.
#include <pthread.h>

pthread_spinlock_t l;

int main(void)
{
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_spin_lock(&l);
}
