// SIZE threads, each with a slot of its own. Grows: threads.
#include <assert.h>
#include <pthread.h>

int slot[SIZE];

void *worker(void *argument) {
    long me = (long)argument;
    slot[me] = (int)me;
    assert(slot[me] == (int)me);
    return 0;
}

int main(void) {
    pthread_t threads[SIZE];
    for (long i = 0; i < SIZE; i++) pthread_create(&threads[i], 0, worker, (void *)i);
    for (int i = 0; i < SIZE; i++) pthread_join(threads[i], 0);
    return 0;
}
