//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a mutex is unlocked by a thread that does not own it: `lock`, which thread main holds
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
