//EXPECT: SAFE
//ARGS: --data-model ilp32
// What is atomic is written at once, whatever pointers have.
#include <assert.h>
#include <pthread.h>

_Atomic unsigned long long both;

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
