//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread main waits for lock, which it holds itself
// The same, and a real one.
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(int count, char **strings)
{
    pthread_mutex_lock(&lock);
    if (count > 3) pthread_mutex_lock(&lock);
    return 0;
}
