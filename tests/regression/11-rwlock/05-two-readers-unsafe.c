//EXPECT: UNSAFE
// Two readers can be inside at the same time.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
_Atomic int inside;

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&l);
    inside++;
    assert(inside < 2);
    inside--;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    reader(0);
    pthread_join(t, 0);
}
