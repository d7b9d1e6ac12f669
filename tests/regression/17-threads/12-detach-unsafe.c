//EXPECT: UNSAFE
// Nobody waits for a detached thread.
#include <assert.h>
#include <pthread.h>

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
    pthread_detach(t);
    assert(done == 1);
}
