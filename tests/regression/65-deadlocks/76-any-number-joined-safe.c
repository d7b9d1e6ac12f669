//EXPECT: SAFE
//ARGS: --check deadlocks
// Who is joined waits for a lock that the joiner does not hold.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int runs;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    runs = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, worker, 0);
        pthread_mutex_lock(&m);
        runs = 0;
        pthread_mutex_unlock(&m);
        pthread_join(t, 0);
    }
    return 0;
}
