//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The last one is not joined.
#include <pthread.h>
#define N 3
int data[N];

void *worker(void *argument)
{
    int id = (int)(long)argument;
    data[id] = id;
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    int sum = 0;
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (int i = 0; i < N - 1; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < N; i++)
        sum += data[i];
    return sum;
}
