//EXPECT: SAFE
//ARGS: --check deadlocks
// However many threads there are, all take a before b, and nobody keeps a lock.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int both;

void *worker(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    both = 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&b);
    both = 0;
    pthread_mutex_unlock(&b);
    pthread_exit(0);
}
