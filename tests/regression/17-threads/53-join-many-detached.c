//EXPECT: UNKNOWN
//REASON: detached
// A detached thread must not be joined.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, worker, 0);
        pthread_detach(t);
        pthread_join(t, 0);
    }
    return 0;
}
