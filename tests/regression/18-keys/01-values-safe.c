//EXPECT: SAFE
// Each thread has its own value, NULL at first.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int a, b;

void *worker(void *arg)
{
    assert(pthread_getspecific(key) == 0);
    assert(pthread_setspecific(key, arg) == 0);
    assert(pthread_getspecific(key) == arg);
    return 0;
}

int main(void)
{
    pthread_t t;
    assert(pthread_key_create(&key, 0) == 0);
    pthread_setspecific(key, &a);
    pthread_create(&t, 0, worker, &b);
    pthread_join(t, 0);
    assert(pthread_getspecific(key) == &a);
    assert(pthread_key_delete(key) == 0);
}
