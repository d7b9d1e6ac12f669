// Each element has its lock, but the last one is changed with the lock of another.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on data[1]
#include <pthread.h>
#define SLOTS 2

pthread_mutex_t lock[SLOTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int data[SLOTS];

void *worker(void *unused)
{
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&lock[i]);
        data[SLOTS - 1]++;
        pthread_mutex_unlock(&lock[i]);
    }
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return data[0] + data[1];
}
