//EXPECT: UNSAFE
// The lock is released by the cleanup before the second thread's value is read.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void release(pthread_mutex_t **held) { pthread_mutex_unlock(*held); }

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    __attribute__((cleanup(release))) pthread_mutex_t *held = &m;
    x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 1);
}
