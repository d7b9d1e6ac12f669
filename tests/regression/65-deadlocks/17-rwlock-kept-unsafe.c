//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: deadlock
// A reader does not give the lock back.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *unused)
{
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_rwlock_rdlock(&l);
    pthread_join(t, 0);
    return 0;
}
