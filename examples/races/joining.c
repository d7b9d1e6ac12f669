// Each result is read before its worker was joined.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on result[
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
    for (int i = 0; i < WORKERS; i++) {
        sum += result[i];
        pthread_join(handles[i], 0);
    }
    return sum;
}
