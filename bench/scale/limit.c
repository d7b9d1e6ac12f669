// Two threads count up to a limit under a lock, in SIZE rounds each. Grows: rounds.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *worker(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (count < 50) count++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(count <= 50);
    return 0;
}
