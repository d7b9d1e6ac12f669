//EXPECT: SAFE
// Keys do not disturb each other.
#include <assert.h>
#include <pthread.h>

pthread_key_t k, l;
int a, b;

int main(void)
{
    pthread_key_create(&k, 0);
    pthread_key_create(&l, 0);
    assert(k != l);
    pthread_setspecific(k, &a);
    assert(pthread_getspecific(l) == 0);
    pthread_setspecific(l, &b);
    assert(pthread_getspecific(k) == &a);
}
