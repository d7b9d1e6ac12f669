//EXPECT: UNSAFE
// Before the exit other threads run.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    exit(1);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(0);
}
