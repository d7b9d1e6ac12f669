//EXPECT: SAFE
// The cancellation state and type are remembered for each thread.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *arg)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    return 0;
}

int main(void)
{
    pthread_t t;
    int old;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0) == 0);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcanceltype(44, 0) == EINVAL);
    pthread_testcancel();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
