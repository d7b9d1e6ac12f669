// A thread spins until it is told to stop, and nobody tells it.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread worker waits
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
    pthread_join(thread, 0);
    return 0;
}
