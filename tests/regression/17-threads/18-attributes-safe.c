//EXPECT: SAFE
// The attributes of threads are kept.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *arg) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    int state;
    size_t size;
    assert(pthread_attr_init(&a) == 0);
    pthread_attr_getdetachstate(&a, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&a, 17) == EINVAL);
    assert(pthread_attr_setstacksize(&a, 65536) == 0);
    pthread_attr_getstacksize(&a, &size);
    assert(size == 65536);
    assert(pthread_attr_setguardsize(&a, 8192) == 0);
    pthread_attr_getguardsize(&a, &size);
    assert(size == 8192);
    pthread_create(&t, &a, worker, 0);
    pthread_attr_destroy(&a);
    assert(pthread_join(t, 0) == 0);
}
