//EXPECT: SAFE
//ARGS: --check deadlocks
// The condition variable is a local that `pthread_cond_init` initialises: nobody waits for it before, and nobody was woken.
// The flag is set and read under the mutex, so that the signal is not lost.
#include <pthread.h>

struct box {
    pthread_mutex_t lock;
    pthread_cond_t full;
    int count;
};

void *put(void *arg) {
    struct box *box = arg;
    pthread_mutex_lock(&box->lock);
    box->count = 1;
    pthread_cond_signal(&box->full);
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
