//EXPECT: UNSAFE
//ARGS: --check undefined,deadlocks
//REASON: a condition variable is destroyed while threads wait for it
// The worker may still wait when `main`, which has the mutex, destroys the condition variable (POSIX: undefined).
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int waits;

void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    waits = 1;
    pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&lock);
    if (waits) pthread_cond_destroy(&ready);
    pthread_mutex_unlock(&lock);
    return 0;
}
