//EXPECT: UNSAFE
// Each control calls the routine once: two controls, two calls.
#include <assert.h>
#include <pthread.h>

pthread_once_t a = PTHREAD_ONCE_INIT, b = PTHREAD_ONCE_INIT;
int count;

void init(void) { count++; }

int main(void)
{
    pthread_once(&a, init);
    pthread_once(&a, init);
    assert(count == 1);
    pthread_once(&b, init);
    assert(count == 1);
}
