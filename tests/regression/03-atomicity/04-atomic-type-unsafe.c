//EXPECT: UNSAFE
// x = x + 1 is two steps even on an _Atomic object.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *worker(void *arg)
{
    x = x + 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 2);
}
