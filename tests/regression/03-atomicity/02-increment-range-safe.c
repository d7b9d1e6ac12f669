//EXPECT: SAFE
// But nothing else can happen to it than a lost increment.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x++;
    pthread_join(t, 0);
    assert(x == 1 || x == 2);
}
