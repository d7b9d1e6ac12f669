//EXPECT: SAFE
// A thread's own id is the one that its creator got.
#include <assert.h>
#include <pthread.h>

pthread_t seen;

void *worker(void *arg)
{
    seen = pthread_self();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(pthread_equal(t, seen));
    assert(!pthread_equal(t, pthread_self()));
    assert(pthread_equal(pthread_self(), pthread_self()));
}
