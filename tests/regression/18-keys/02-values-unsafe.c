//EXPECT: UNSAFE
// A value that another thread set is not seen.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int a;

void *worker(void *arg)
{
    assert(pthread_getspecific(key) == &a);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &a);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
