//EXPECT: UNSAFE
// By its address another thread can change it.
#include <assert.h>
#include <pthread.h>

static _Thread_local int n;

void *worker(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, &n);
    assert(n == 0);
    pthread_join(t, 0);
}
