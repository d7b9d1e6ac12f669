//EXPECT: UNSAFE
// The reader unlocks between its two reads.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void *writer(void *arg)
{
    pthread_rwlock_wrlock(&l);
    x = 1;
    y = 1;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    int x0 = x;
    pthread_rwlock_unlock(&l);
    pthread_rwlock_rdlock(&l);
    assert(x0 == y);
    pthread_rwlock_unlock(&l);
}
