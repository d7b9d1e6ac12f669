//EXPECT: SAFE
// timedwait returns 0 or ETIMEDOUT, with the mutex locked.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c;
int x;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0}, wrong = {0, -1};
    pthread_cond_init(&c, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&c, &m, &wrong) == EINVAL);
    int r = pthread_cond_timedwait(&c, &m, &until);
    assert(r == 0 || r == ETIMEDOUT);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(pthread_cond_destroy(&c) == 0);
}
