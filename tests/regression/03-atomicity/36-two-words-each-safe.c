//EXPECT: SAFE
//ARGS: --data-model ilp32
// Each half is written once, whichever comes first; and what the lock protects, nobody sees by halves.
#include <assert.h>
#include <pthread.h>

unsigned long long both, locked;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused)
{
    both = 0x200000001ull;
    pthread_mutex_lock(&lock);
    locked = 0x200000001ull;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    unsigned long long seen = both;
    assert(seen == 0 || seen == 1 || seen == 0x200000000ull || seen == 0x200000001ull);
    pthread_mutex_lock(&lock);
    assert(locked == 0 || locked == 0x200000001ull);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
}
