//EXPECT: UNSAFE
// A new thread may run before its id is stored.
#include <assert.h>
#include <pthread.h>

pthread_t t;

void *worker(void *arg)
{
    assert(pthread_equal(t, pthread_self()));
    return 0;
}

int main(void)
{
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
