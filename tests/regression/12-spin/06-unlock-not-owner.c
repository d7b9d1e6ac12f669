//EXPECT: UNKNOWN
//REASON: does not hold it
// To unlock another's spin lock is undefined.
#include <pthread.h>

pthread_spinlock_t l;

void *worker(void *arg)
{
    pthread_spin_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
