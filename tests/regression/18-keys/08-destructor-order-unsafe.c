//EXPECT: UNSAFE
// The order of destructors is unspecified: the second key may come first.
#include <assert.h>
#include <pthread.h>

pthread_key_t k, l;
int first;

void one(void *value)
{
    if (!first) first = 1;
}

void two(void *value)
{
    if (!first) first = 2;
}

void *worker(void *arg)
{
    pthread_setspecific(k, &first);
    pthread_setspecific(l, &first);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&k, one);
    pthread_key_create(&l, two);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(first == 1);
}
