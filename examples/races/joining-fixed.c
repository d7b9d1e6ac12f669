// Results are read when all workers were joined.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `result` is used by one thread only, element by element
#include <pthread.h>
#define WORKERS 3

int result[WORKERS];

void *worker(void *argument)
{
    int *own = argument;
    *own = 1;
    return 0;
}

int main(void)
{
    pthread_t handles[WORKERS];
    int sum = 0;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&handles[i], 0, worker, &result[i]);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(handles[i], 0);
    for (int i = 0; i < WORKERS; i++)
        sum += result[i];
    return sum;
}
