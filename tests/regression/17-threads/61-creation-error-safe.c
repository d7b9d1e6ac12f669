//EXPECT: SAFE
//ARGS: --creation-may-fail
// EAGAIN is the only error, and nothing is created then.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int x;

void *worker(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    int error = pthread_create(&t, 0, worker, 0);
    if (error == 0)
        pthread_join(t, 0);
    assert(error == 0 ? x == 1 : error == EAGAIN && x == 0);
}
