//EXPECT: UNKNOWN
//REASON: not initialised
// A barrier must be initialised.
#include <pthread.h>

pthread_barrier_t b;

int main(void)
{
    pthread_barrier_wait(&b);
}
