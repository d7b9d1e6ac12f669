// An error behind SIZE rounds of a loop. Grows: rounds. UNSAFE.
#include <assert.h>
#include <pthread.h>

_Atomic int flag;

void *worker(void *unused) {
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, 0, worker, 0);
    for (int i = 0; i < SIZE; i++) sum += 2;
    assert(sum != 2 * SIZE || !flag);
    pthread_join(thread, 0);
    return 0;
}
