//EXPECT: UNKNOWN
//REASON: what is computed from the id of a thread
// Which slot is taken depends on the number of a thread, which POSIX leaves open.
#include <assert.h>
#include <pthread.h>
int slots[4];

void *worker(void *arg) {
    unsigned long me = pthread_self();
    slots[me % 4] = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(slots[2] == 1);
    return 0;
}
