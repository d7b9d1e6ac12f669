//EXPECT: SAFE
//ARGS: --check deadlocks
// Threads that have ended and are not joined wait for nothing.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

void *worker(void *arg) {
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
