//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `result`
//REASON: declared by thread main at
// The worker may be late: the lock orders nothing.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    *(int *)arg = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int result;
    pthread_create(&thread, NULL, worker, &result);
    pthread_mutex_lock(&lock);
    int seen = result == 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return seen;
}
