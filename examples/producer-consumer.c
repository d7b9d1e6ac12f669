//EXPECT: SAFE
// A buffer with one place, a producer and two consumers, a mutex and a
// condition variable.
//
// Shows: a wait that tests its condition again in a loop is right, whatever
// wakes it up.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int items;

void *producer(void *arg)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (items == 0) pthread_cond_wait(&filled, &lock);
    items--;
    assert(items >= 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t p, c, d;
    pthread_create(&c, 0, consumer, 0);
    pthread_create(&d, 0, consumer, 0);
    pthread_create(&p, 0, producer, 0);
    pthread_join(p, 0);
}
