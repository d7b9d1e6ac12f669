//EXPECT: SAFE
// A thread creates another one of its own kind, as long as there are fewer than four.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *run(void *unused)
{
    pthread_mutex_lock(&lock);
    int more = count < 3;
    count++;
    pthread_mutex_unlock(&lock);
    pthread_t next;
    if (more)
        pthread_create(&next, 0, run, 0);
    return 0;
}

int main(void)
{
    pthread_t first;
    pthread_create(&first, 0, run, 0);
    pthread_mutex_lock(&lock);
    assert(count <= 4);
    pthread_mutex_unlock(&lock);
}
