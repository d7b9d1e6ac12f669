//EXPECT: UNSAFE
// It is one variable for all threads.
#include <assert.h>
#include <pthread.h>

int next(void)
{
    static int n;
    return ++n;
}

void *worker(void *arg)
{
    int a = next();
    assert(a == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
}
