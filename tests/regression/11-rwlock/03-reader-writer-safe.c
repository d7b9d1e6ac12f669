//EXPECT: SAFE
// A reader never sees what a writer has half done.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l;
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
    pthread_rwlock_init(&l, 0);
    pthread_create(&t, 0, writer, 0);
    assert(pthread_rwlock_rdlock(&l) == 0);
    assert(x == y);
    assert(pthread_rwlock_unlock(&l) == 0);
    pthread_join(t, 0);
    assert(pthread_rwlock_destroy(&l) == 0);
}
