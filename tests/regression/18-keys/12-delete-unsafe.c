//EXPECT: UNSAFE
// pthread_key_delete calls no destructor, neither then nor at the end of the thread.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int called, a;

void destroy(void *value) { called = 1; }

void *worker(void *arg)
{
    pthread_setspecific(key, &a);
    if (pthread_key_delete(key) != 0) called = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(called);
}
