//EXPECT: UNSAFE
// `x = y + z` reads y and z at different times.
#include <assert.h>
#include <pthread.h>

int y = 1, z, x;

void *worker(void *arg)
{
    z = 1;
    y = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = y + z;
    assert(x != 0 && x != 2);
}
