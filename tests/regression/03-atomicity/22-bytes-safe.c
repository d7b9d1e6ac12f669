//EXPECT: SAFE
// A byte of a number written by another thread: the other bytes stay.
#include <assert.h>
#include <pthread.h>

union { unsigned u; unsigned char c[4]; } v;

void *worker(void *arg)
{
    v.c[1] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    v.u = 2;
    pthread_join(t, 0);
    assert(v.u == 2 || v.u == 0x102);
}
