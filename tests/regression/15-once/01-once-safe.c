//EXPECT: SAFE
// The routine runs once, and has returned when anybody goes on.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int count, ready;

void init(void)
{
    count = count + 1;
    ready = 1;
}

void *worker(void *arg)
{
    assert(pthread_once(&once, init) == 0);
    assert(ready == 1 && count == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
