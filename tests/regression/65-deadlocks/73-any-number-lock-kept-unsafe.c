//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: A deadlock can happen
// A thread ends with a, and the next one waits for it.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int both;

void *worker(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    both = 1;
    pthread_mutex_unlock(&b);
    if (__VERIFIER_nondet_int())
        return 0;
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
