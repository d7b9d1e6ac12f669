//EXPECT: SAFE
// Locals whose address is not taken are nobody else's.
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    int x = 0;
    x++;
    x++;
    assert(x == 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
