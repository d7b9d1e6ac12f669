//EXPECT: SAFE
// With a sequence point in between it is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *worker(void *arg)
{
    data = 1;
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(!ready || data == 1);
}
