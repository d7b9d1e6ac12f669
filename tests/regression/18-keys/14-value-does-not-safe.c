//EXPECT: SAFE
// The values of a new key are NULL in all threads, whatever number it has.
#include <assert.h>
#include <pthread.h>

int main(void)
{
    int x;
    pthread_key_t a, b;
    pthread_key_create(&a, 0);
    pthread_setspecific(a, &x);
    pthread_key_delete(a);
    pthread_key_create(&b, 0);
    assert(pthread_getspecific(b) == 0);
    pthread_setspecific(b, &x);
    assert(pthread_getspecific(b) == &x);
}
