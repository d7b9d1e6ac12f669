//EXPECT: SAFE
// The reference counter of driver-stop.c, repaired: first the reference, then
// the look at the flag, and the reference is given back if it was too late.
//
// Shows: the proof that the device is there whenever I/O is done.
#include <assert.h>
#include <pthread.h>

_Atomic int references = 1, stopping, event;
int stopped;

void release(void)
{
    if (--references == 0) event = 1;
}

int acquire(void)
{
    ++references;
    if (stopping) {
        release();
        return 0;
    }
    return 1;
}

void *io(void *arg)
{
    if (acquire()) {
        assert(!stopped);
        release();
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, io, 0);
    stopping = 1;
    release();
    while (!event) {}
    stopped = 1;
    pthread_join(t, 0);
}
