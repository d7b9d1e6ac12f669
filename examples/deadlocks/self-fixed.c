// The caller holds the lock, and the function relies on it.
//EXPECT: SAFE
//ARGS: --check deadlocks
//REASON: No deadlock can happen
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void bump(void)
{
    count++;
}

int main(void)
{
    pthread_mutex_lock(&lock);
    bump();
    pthread_mutex_unlock(&lock);
    return 0;
}
