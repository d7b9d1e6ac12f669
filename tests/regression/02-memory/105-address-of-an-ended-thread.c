//EXPECT: UNKNOWN
//REASON: the address of an object whose lifetime has ended
// The stack of a thread may be that of one that was joined.
#include <assert.h>
#include <pthread.h>

int *kept;

void *run(void *first)
{
    int local = 1;
    if (first)
        kept = &local;
    else
        assert(kept != &local);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, &thread);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
}
