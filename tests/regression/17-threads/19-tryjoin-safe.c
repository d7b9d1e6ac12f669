//EXPECT: SAFE
// tryjoin succeeds only after the thread has ended.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x = 1;
    return (void *)3;
}

int main(void)
{
    pthread_t t;
    void *v;
    pthread_create(&t, 0, worker, 0);
    int r = pthread_tryjoin_np(t, &v);
    if (r == 0)
        assert(x == 1 && (long)v == 3);
    else
        assert(r == EBUSY && pthread_join(t, 0) == 0);
}
