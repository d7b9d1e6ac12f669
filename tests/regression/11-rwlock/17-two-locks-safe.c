//EXPECT: SAFE
// A thread may hold several locks for reading, and one of them twice.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *worker(void *unused)
{
    pthread_rwlock_wrlock(&a);
    x = 1;
    pthread_rwlock_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    int seen = x;
    assert(seen == x);
    pthread_rwlock_unlock(&a);
    pthread_join(t, 0);
}
