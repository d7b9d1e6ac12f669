// Each worker has a slot, and one reaches into that of its neighbour.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on slot[1]
#include <pthread.h>
#define WORKERS 2

int slot[WORKERS + 1];

void *worker(void *argument)
{
    int me = (int)(long)argument;
    slot[me] = me;
    slot[me + 1]++;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, (void *)0);
    pthread_create(&second, 0, worker, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
