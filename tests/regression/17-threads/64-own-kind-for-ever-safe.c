//EXPECT: SAFE
// Each thread creates another one: there may be any number.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int set;

void *run(void *unused)
{
    pthread_mutex_lock(&lock);
    set = 1;
    pthread_mutex_unlock(&lock);
    pthread_t next;
    pthread_create(&next, 0, run, 0);
    return 0;
}

int main(void)
{
    pthread_t first;
    pthread_create(&first, 0, run, 0);
    pthread_mutex_lock(&lock);
    assert(set <= 1);
    pthread_mutex_unlock(&lock);
}
