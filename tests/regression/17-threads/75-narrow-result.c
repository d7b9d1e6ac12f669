//EXPECT: UNKNOWN
//REASON: the result of a thread whose start routine does not return a pointer
// The upper half of what is joined was never written.
#include <assert.h>
#include <pthread.h>

int worker(void *arg) { return -1; }

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, (void *(*)(void *))worker, 0);
    pthread_join(t, &result);
    assert(result == (void *)-1L);
    return 0;
}
