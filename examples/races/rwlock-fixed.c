// Readers hold the read-write lock for reading, writers by themselves.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `rate` is protected by `lock`
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int rate;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int seen = rate;
    pthread_rwlock_unlock(&lock);
    return seen ? &rate : 0;
}

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    rate = 7;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t first, second, third;
    pthread_create(&first, 0, reader, 0);
    pthread_create(&second, 0, writer, 0);
    pthread_create(&third, 0, writer, 0);
    return 0;
}
