// SIZE threads count under a lock. Grows: threads.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[SIZE];
    for (int i = 0; i < SIZE; i++) pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < SIZE; i++) pthread_join(threads[i], 0);
    assert(count == SIZE);
    return 0;
}
