//EXPECT: UNSAFE
// trylock does not wait: its result must be looked at.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *worker(void *arg)
{
    int r = pthread_mutex_trylock(&m);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    if (r == 0) pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
