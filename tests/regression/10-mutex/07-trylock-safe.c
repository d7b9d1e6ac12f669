//EXPECT: SAFE
// Who gets the mutex by trylock is alone.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *worker(void *arg)
{
    int r = pthread_mutex_trylock(&m);
    if (r == 0) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
        pthread_mutex_unlock(&m);
    } else {
        assert(r == EBUSY);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
