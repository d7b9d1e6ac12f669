//EXPECT: SAFE
//ARGS: --check races
// Each has a time of its own.
#include <pthread.h>
#include <time.h>
struct timespec now;

void *worker(void *unused)
{
    clock_gettime(CLOCK_REALTIME, &now);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec mine;
    pthread_create(&t, 0, worker, 0);
    clock_gettime(CLOCK_REALTIME, &mine);
    pthread_join(t, 0);
    return now.tv_nsec == mine.tv_nsec;
}
