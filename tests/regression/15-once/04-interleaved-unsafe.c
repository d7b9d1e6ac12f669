//EXPECT: UNSAFE
// Other threads run while the routine does.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int x, y;

void init(void)
{
    x = 1;
    y = 1;
}

void *worker(void *arg)
{
    pthread_once(&once, init);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int y0 = y, x0 = x;
    assert(x0 == y0);
}
