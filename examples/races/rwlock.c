// The writer holds the read-write lock for reading only.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on rate
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
    pthread_rwlock_rdlock(&lock);
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
