//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: A deadlock can happen
// A thread that waits is woken by nobody.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
int open;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    while (!open)
        pthread_cond_wait(&opened, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    open = 1;
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}
