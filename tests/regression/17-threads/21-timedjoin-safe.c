//EXPECT: SAFE
// timedjoin joins or times out.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    pthread_create(&t, 0, worker, 0);
    int r = pthread_timedjoin_np(t, 0, &until);
    assert(r == 0 || r == ETIMEDOUT);
    if (r == 0) assert(x == 1);
}
