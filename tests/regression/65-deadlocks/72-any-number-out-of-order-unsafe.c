//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: A deadlock can happen
// Main takes b before a, and the threads a before b.
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
    pthread_mutex_lock(&a);
    both = 0;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_exit(0);
}
