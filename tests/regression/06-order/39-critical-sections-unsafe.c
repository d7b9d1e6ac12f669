//EXPECT: UNSAFE
// Two critical sections in one expression, in any order: x first, then y.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x, y;

int get(int *from)
{
    pthread_mutex_lock(&lock);
    int value = *from;
    pthread_mutex_unlock(&lock);
    return value;
}

void put(int *to)
{
    pthread_mutex_lock(&lock);
    *to = 1;
    pthread_mutex_unlock(&lock);
}

void *worker(void *arg)
{
    put(&x);
    put(&y);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int difference = get(&y) - get(&x);
    assert(difference != 1);
}
