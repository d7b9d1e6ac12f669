//EXPECT: UNSAFE
// The destructor runs after the thread's last statement, also at pthread_exit.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int a;

void destroy(void *value) { a = 1; }

void *worker(void *arg)
{
    pthread_setspecific(key, &a);
    a = 2;
    pthread_exit(0);
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(a == 2);
}
