//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: A deadlock can happen
// The condition variable is initialised, but the signal comes before the flag is set:
// who wakes up sees no flag, waits again, and nobody signals any more.
#include <pthread.h>

struct box {
    pthread_mutex_t lock;
    pthread_cond_t full;
    int count;
};

void *put(void *arg) {
    struct box *box = arg;
    pthread_mutex_lock(&box->lock);
    pthread_cond_signal(&box->full);
    pthread_mutex_unlock(&box->lock);
    pthread_mutex_lock(&box->lock);
    box->count = 1;
    pthread_mutex_unlock(&box->lock);
    return 0;
}

int main(void) {
    struct box box;
    pthread_mutex_init(&box.lock, 0);
    pthread_cond_init(&box.full, 0);
    box.count = 0;
    pthread_t producer;
    pthread_create(&producer, 0, put, &box);
    pthread_mutex_lock(&box.lock);
    while (!box.count) pthread_cond_wait(&box.full, &box.lock);
    pthread_mutex_unlock(&box.lock);
    pthread_join(producer, 0);
    return 0;
}
