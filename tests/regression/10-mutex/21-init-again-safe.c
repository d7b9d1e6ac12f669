//EXPECT: SAFE
// A destroyed mutex can be initialised again.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;

int main(void)
{
    pthread_mutex_init(&m, 0);
    assert(pthread_mutex_destroy(&m) == 0);
    pthread_mutex_init(&m, 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    pthread_mutex_destroy(&m);
}
