//EXPECT: SAFE
// The pointer is read once, tested and then used.
#include <assert.h>
#include <pthread.h>

int x;
int *p = &x;

void *worker(void *arg)
{
    p = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int *q = p;
    if (q) *q = 1;
    pthread_join(t, 0);
    assert(p == 0 && x <= 1);
}
