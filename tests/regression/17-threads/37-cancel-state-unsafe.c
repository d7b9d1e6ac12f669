//EXPECT: UNSAFE
// The error is reached only if the state and the type are kept, and nobody is cancelled.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#define NEED(condition) if (!(condition)) return 0

int main(void)
{
    int old;
    NEED(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    NEED(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
    NEED(pthread_setcanceltype(9, &old) == EINVAL);
    NEED(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    pthread_testcancel();
    assert(0);
}
