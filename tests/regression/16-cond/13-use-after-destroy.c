//EXPECT: UNKNOWN
//REASON: destroyed condition variable
// A destroyed condition variable must not be signalled.
#include <pthread.h>

pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_cond_destroy(&c);
    pthread_cond_signal(&c);
}
