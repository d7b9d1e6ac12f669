// SIZE readers wait for a flag, then read what it publishes. Grows: threads.
#include <assert.h>
#include <pthread.h>

_Atomic int ready;
int data;

void *reader(void *unused) {
    while (!ready)
        ;
    assert(data == 42);
    return 0;
}

int main(void) {
    pthread_t threads[SIZE];
    for (int i = 0; i < SIZE; i++) pthread_create(&threads[i], 0, reader, 0);
    data = 42;
    ready = 1;
    for (int i = 0; i < SIZE; i++) pthread_join(threads[i], 0);
    return 0;
}
