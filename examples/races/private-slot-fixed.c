// Each worker uses the slot with its number.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `slot` is used by one thread only, element by element
#include <pthread.h>
#define WORKERS 2

int slot[WORKERS + 1];

void *worker(void *argument)
{
    int me = (int)(long)argument;
    slot[me] = me;
    slot[me]++;
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
