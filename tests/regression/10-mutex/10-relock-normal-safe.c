//EXPECT: SAFE
//VACUOUS: main waits for ever
// To lock one's own normal mutex blocks for ever: the assertion is not reached.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
}
