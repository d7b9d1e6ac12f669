//EXPECT: UNSAFE
// The reference counter of a device driver. Whoever does I/O holds a reference;
// who stops the device gives up the initial one and waits for the last to go.
// Here the flag `stopping` is looked at before the reference is taken: the
// device can be gone in between.
//
// Shows: the race that was found in a Bluetooth driver of Windows.
#include <assert.h>
#include <pthread.h>

_Atomic int references = 1, stopping, event;
int stopped;

void release(void)
{
    if (--references == 0) event = 1; // the last one tells the stopper
}

int acquire(void)
{
    if (stopping) return 0;
    ++references; // wrong: too late if the device was stopped just now
    return 1;
}

void *io(void *arg)
{
    if (acquire()) {
        assert(!stopped); // do the work: the device must be there
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
