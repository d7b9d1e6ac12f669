//EXPECT: SAFE
// A loop that is made of jumps creates two threads.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *run(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int i = 0;
again:
    pthread_create(&threads[i], 0, run, 0);
    if (++i < 2)
        goto again;
    assert(count <= 2);
}
