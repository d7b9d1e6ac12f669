//EXPECT: SAFE
// When main returns, no destructor runs.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

void destroy(void *value) { assert(0); }

int main(void)
{
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &key);
    return 0;
}
