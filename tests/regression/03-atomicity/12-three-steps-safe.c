//EXPECT: SAFE
// Both orders of the two reads are covered, no other value appears.
#include <assert.h>
#include <pthread.h>

int y = 1, z, x;

void *worker(void *arg)
{
    z = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = y + z;
    assert(x == 1 || x == 2);
}
