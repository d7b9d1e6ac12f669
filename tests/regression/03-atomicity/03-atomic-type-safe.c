//EXPECT: SAFE
// On an _Atomic object ++ and += are single steps.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *worker(void *arg)
{
    x++;
    x += 2;
    --x;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 4);
}
