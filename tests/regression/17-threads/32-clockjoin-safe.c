//EXPECT: SAFE
// pthread_clockjoin_np has joined the thread if it returns 0.
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
    if (pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, &until) == 0) assert(done == 1 && result == &done);
    return 0;
}
