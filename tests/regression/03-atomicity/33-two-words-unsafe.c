//EXPECT: UNSAFE
//ARGS: --data-model ilp32
// Where pointers have 32 bits, 64 bits are written in two steps, in either order: what is read may be half old and half new.
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
