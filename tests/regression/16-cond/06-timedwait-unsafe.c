//EXPECT: UNSAFE
// timedwait may time out even if the condition was signalled.
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    int r = 0;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    while (!ready && r == 0) r = pthread_cond_timedwait(&c, &m, &until);
    assert(r == 0);
}
