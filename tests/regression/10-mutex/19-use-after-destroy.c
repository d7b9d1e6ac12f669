//EXPECT: UNKNOWN
//REASON: undefined
// A destroyed mutex must not be locked.
#include <pthread.h>

pthread_mutex_t m;

int main(void)
{
    pthread_mutex_init(&m, 0);
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m);
}
