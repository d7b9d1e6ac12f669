// A function takes a lock that its caller holds already.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread main waits for lock, which it holds itself
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void bump(void)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_mutex_lock(&lock);
    bump();
    pthread_mutex_unlock(&lock);
    return 0;
}
