//EXPECT: UNSAFE
// pthread_clockjoin_np may time out.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

int done;
struct timespec until = {1, 0};

void *worker(void *arg)
{
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, &done);
    pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, &until);
    assert(done == 1);
    return 0;
}
