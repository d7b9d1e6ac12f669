//EXPECT: UNSAFE
// When main calls pthread_exit, the other threads go on.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    assert(x == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 1;
    pthread_exit(0);
}
