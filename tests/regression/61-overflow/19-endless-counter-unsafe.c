//EXPECT: UNSAFE
// Nobody follows a counter until it overflows, and nobody need: one thread does not wait for the lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter, copy;

void *count(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        counter++;
        copy = counter;
        assert(copy == counter);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    while (1)
        counter++;
}
