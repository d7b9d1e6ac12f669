//EXPECT: UNSAFE
// A condition reads each shared variable in a step of its own.
#include <assert.h>
#include <pthread.h>

int a, b;

void *worker(void *arg)
{
    a = 1;
    a = 0;
    b = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (a == 1 && b == 1) assert(0);
    return 0;
}
