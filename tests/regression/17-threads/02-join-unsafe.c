//EXPECT: UNSAFE
// Without the join the thread may not have run.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(x == 5);
}
