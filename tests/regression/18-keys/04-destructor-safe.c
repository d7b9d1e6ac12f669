//EXPECT: SAFE
// The destructor gets the value when the thread returns, before it can be joined.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int a;

void destroy(void *value)
{
    assert(value == &a);
    assert(pthread_getspecific(key) == 0);
    *(int *)value = 1;
}

void *worker(void *arg)
{
    pthread_setspecific(key, &a);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(a == 1);
}
