//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// One writes though it holds the lock for reading only.
#include <pthread.h>
int x;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *unused)
{
    int seen;
    pthread_rwlock_rdlock(&l);
    seen = x;
    pthread_rwlock_unlock(&l);
    return (void *)(long)seen;
}

void *writer(void *unused)
{
    pthread_rwlock_rdlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return x;
}
