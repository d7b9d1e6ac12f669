//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Threads that are created detached are detached once, and nobody joins them.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    while (__VERIFIER_nondet_int())
        assert(pthread_create(&t, &attributes, worker, 0) == 0);
    return 0;
}
