//EXPECT: SAFE
// Detached threads, which nobody joins: the usual server.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    busy = 1;
    assert(busy == 1);
    busy = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, worker, 0);
        pthread_detach(t);
    }
    return 0;
}
