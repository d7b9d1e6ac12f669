//EXPECT: SAFE
// A detached thread runs on.
#include <assert.h>
#include <pthread.h>
#include <sched.h>

_Atomic int done;

void *worker(void *arg)
{
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_detach(t) == 0);
    while (!done) sched_yield();
    assert(done == 1);
}
