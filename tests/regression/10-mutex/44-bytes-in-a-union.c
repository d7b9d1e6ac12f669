//EXPECT: UNKNOWN
//REASON: the bytes of a lock
// A mutex is copied as the bytes of a union.
#include <assert.h>
#include <pthread.h>

union shared {
    char bytes[sizeof(pthread_mutex_t)];
    pthread_mutex_t lock;
} a, b;

int main(void)
{
    pthread_mutex_init(&a.lock, 0);
    for (unsigned i = 0; i < sizeof a; i++)
        b.bytes[i] = a.bytes[i];
    pthread_mutex_lock(&b.lock);
    pthread_mutex_unlock(&b.lock);
    assert(1);
}
