//EXPECT: UNSAFE
// timedjoin can time out.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

void *worker(void *arg) { return 0; }

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    pthread_create(&t, 0, worker, 0);
    assert(pthread_timedjoin_np(t, 0, &until) == 0);
}
