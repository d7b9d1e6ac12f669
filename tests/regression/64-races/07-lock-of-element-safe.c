//EXPECT: SAFE
//ARGS: --check races
// lock[i] protects data[i].
#include <pthread.h>
int data[2];
pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

void count(int i)
{
    pthread_mutex_lock(&lock[i]);
    data[i]++;
    pthread_mutex_unlock(&lock[i]);
}

void *worker(void *argument)
{
    count((int)(long)argument);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    count(1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return data[0];
}
