//EXPECT: SAFE
// A destructor that sets the value again is called four times in all.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int count;

void destroy(void *value)
{
    count++;
    pthread_setspecific(key, value);
}

void *worker(void *arg)
{
    pthread_setspecific(key, &count);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(count == 4);
}
