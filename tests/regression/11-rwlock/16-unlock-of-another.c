//EXPECT: UNKNOWN
//REASON: a read-write lock is unlocked by a thread that does not hold it
// A thread must not unlock what another one holds for reading (POSIX: undefined).
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *unused)
{
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
