//EXPECT: UNSAFE
// A flag instead of pthread_once: the other goes on before the routine is done.
#include <assert.h>
#include <pthread.h>

_Atomic int once;
int ready;

void init(void) { ready = 1; }

void *worker(void *arg)
{
    if (once++ == 0) init();
    assert(ready == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
