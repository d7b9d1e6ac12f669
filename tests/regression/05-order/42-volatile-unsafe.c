//EXPECT: UNSAFE
// Volatile objects are accessed in any order: x first, then y.
#include <assert.h>
#include <pthread.h>

volatile int x, y;

void *worker(void *arg)
{
    x = 1;
    y = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(2 * y + x != 2);
}
