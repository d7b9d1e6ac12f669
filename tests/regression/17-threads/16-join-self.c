//EXPECT: UNKNOWN
//REASON: joins itself
// A thread must not join itself.
#include <pthread.h>

int main(void)
{
    pthread_join(pthread_self(), 0);
}
