//EXPECT: UNSAFE
// A sleep orders nothing.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec long_time = {100, 0};
    pthread_create(&t, 0, worker, 0);
    sleep(10);
    usleep(100);
    nanosleep(&long_time, 0);
    assert(x == 1);
}
