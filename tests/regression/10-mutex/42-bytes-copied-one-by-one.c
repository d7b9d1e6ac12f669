//EXPECT: UNKNOWN
//REASON: the bytes of a lock
// POSIX: the result of using a copy of a mutex is undefined, however it was copied.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b;

int main(void)
{
    unsigned char *from = (unsigned char *)&a, *to = (unsigned char *)&b;
    for (unsigned i = 0; i < sizeof a; i++)
        to[i] = from[i];
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    assert(1);
}
