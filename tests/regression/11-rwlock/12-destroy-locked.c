//EXPECT: UNKNOWN
//REASON: is destroyed
// A lock that is held must not be destroyed.
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l);
}
