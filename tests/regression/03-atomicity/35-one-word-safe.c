//EXPECT: SAFE
// Where pointers have 64 bits, 64 bits are written at once.
#include <assert.h>
#include <pthread.h>

unsigned long long both;

void *writer(void *unused)
{
    both = 0x100000001ull;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    unsigned long long seen = both;
    assert(seen != 0x100000000ull);
    pthread_join(thread, 0);
}
