//EXPECT: SAFE
// Any thread may join, not only the creator.
#include <assert.h>
#include <pthread.h>

pthread_t first;
int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

void *joiner(void *arg)
{
    assert(pthread_join(first, 0) == 0);
    assert(x == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&t, 0, joiner, 0);
    pthread_join(t, 0);
}
