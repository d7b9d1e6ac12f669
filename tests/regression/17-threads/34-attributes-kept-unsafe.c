//EXPECT: UNSAFE
// The error is reached only if every attribute is kept, and a wrong one is refused.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#define NEED(condition) if (!(condition)) return 0

void *worker(void *arg) { return arg; }

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    int state;
    size_t size;
    void *result;
    NEED(pthread_attr_init(&a) == 0);
    NEED(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
    NEED(pthread_attr_getdetachstate(&a, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
    NEED(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE) == 0);
    NEED(pthread_attr_setstacksize(&a, 1) == EINVAL);
    NEED(pthread_attr_setstacksize(&a, 65536) == 0);
    NEED(pthread_attr_getstacksize(&a, &size) == 0 && size == 65536);
    NEED(pthread_attr_setguardsize(&a, 0) == 0);
    NEED(pthread_attr_getguardsize(&a, &size) == 0 && size == 0);
    NEED(pthread_create(&t, &a, worker, &a) == 0);
    NEED(pthread_attr_destroy(&a) == 0);
    NEED(pthread_join(t, &result) == 0 && result == &a);
    assert(0);
}
