//EXPECT: UNSAFE
// It is published before the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
_Atomic(int *) published;

void *worker(void *arg)
{
    atomic_store(&published, &data);
    data = 42;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int *p = atomic_load(&published);
    if (p) assert(*p == 42);
}
