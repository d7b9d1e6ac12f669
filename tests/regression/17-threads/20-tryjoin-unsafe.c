//EXPECT: UNSAFE
// tryjoin does not wait.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

void *worker(void *arg) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_tryjoin_np(t, 0) == 0);
}
