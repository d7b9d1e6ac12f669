//EXPECT: UNSAFE
// ... is written at any time.
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    *(int *)arg = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    int x = 1;
    pthread_create(&t, 0, worker, &x);
    assert(x == 1);
    pthread_join(t, 0);
}
