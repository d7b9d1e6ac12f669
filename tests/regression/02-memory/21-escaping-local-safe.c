//EXPECT: SAFE
// A local of main that another thread writes.
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    *(int *)arg = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    int x = 1;
    pthread_create(&t, 0, worker, &x);
    pthread_join(t, 0);
    assert(x == 5);
}
