// A thread spins until it is told to stop.
//EXPECT: SAFE
//ARGS: --check deadlocks
//REASON: No deadlock can happen
#include <pthread.h>
_Atomic int stop;

void *worker(void *unused)
{
    while (!stop);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    stop = 1;
    pthread_join(thread, 0);
    return 0;
}
