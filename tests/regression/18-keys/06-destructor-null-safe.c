//EXPECT: SAFE
//VACUOUS: the destructor is not called
// No destructor for a thread whose value is NULL, nor for a deleted key.
#include <assert.h>
#include <pthread.h>

pthread_key_t k, l;
int a;

void destroy(void *value) { assert(0); }

void *worker(void *arg)
{
    pthread_setspecific(k, &a);
    pthread_setspecific(k, 0);
    pthread_setspecific(l, &a);
    pthread_key_delete(l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&k, destroy);
    pthread_key_create(&l, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
