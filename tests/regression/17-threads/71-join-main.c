//EXPECT: UNKNOWN
//REASON: waiting for the main thread to end
// The main thread may be joined like any other; here it ends, and the worker goes on. (It was called a thread that does not exist.)
#include <pthread.h>
pthread_t first;

void *worker(void *arg) {
    pthread_join(first, 0);
    return 0;
}

int main(void) {
    first = pthread_self();
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
