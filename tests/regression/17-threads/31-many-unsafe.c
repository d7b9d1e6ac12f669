//EXPECT: UNSAFE
// Threads created in a loop without an end.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *worker(void *arg)
{
    int mine = ++x;
    assert(mine < 3);
    return 0;
}

int main(void)
{
    pthread_t t;
    for (;;) pthread_create(&t, 0, worker, 0);
}
