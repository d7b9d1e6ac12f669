//EXPECT: UNKNOWN
//REASON: whether one of any number of threads has ended
// Where threads are created without end, only joining says that one has ended.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

void *worker(void *arg) { return 0; }

int main(void)
{
    pthread_t t;
    for (;;) {
        pthread_create(&t, 0, worker, 0);
        assert(pthread_tryjoin_np(t, 0) != 0);
    }
}
