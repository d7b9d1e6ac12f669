//EXPECT: SAFE
// After the join everything the thread did has happened, and its result is there.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x = *(int *)arg;
    return &x;
}

int main(void)
{
    pthread_t t;
    int n = 5;
    void *r;
    assert(pthread_create(&t, 0, worker, &n) == 0);
    assert(pthread_join(t, &r) == 0);
    assert(x == 5);
    assert(r == &x);
}
