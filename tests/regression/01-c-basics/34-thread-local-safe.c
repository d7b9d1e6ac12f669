//EXPECT: SAFE
// Each thread has its own thread-local variable, with its initial value.
#include <assert.h>
#include <pthread.h>

__thread int n = 1;

void *worker(void *arg)
{
    n++;
    assert(n == 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(n == 2);
}
