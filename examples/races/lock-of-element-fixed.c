// Each element is protected by the lock with its index.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `data` is protected by `lock`, element by element
#include <pthread.h>
#define SLOTS 2

pthread_mutex_t lock[SLOTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int data[SLOTS];

void *worker(void *unused)
{
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&lock[i]);
        data[i]++;
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
