// A worker is created and joined, SIZE times. Grows: rounds.
#include <assert.h>
#include <pthread.h>

int done;

void *worker(void *unused) {
    done = 1;
    return 0;
}

int main(void) {
    for (int i = 0; i < SIZE; i++) {
        pthread_t thread;
        done = 0;
        pthread_create(&thread, 0, worker, 0);
        pthread_join(thread, 0);
        assert(done == 1);
    }
    return 0;
}
