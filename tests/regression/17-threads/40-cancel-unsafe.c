//EXPECT: UNSAFE
// The thread can be cancelled before it gets through its cancellation point.
#include <assert.h>
#include <pthread.h>

int passed;

void *worker(void *arg)
{
    pthread_testcancel();
    passed = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    assert(passed);
}
