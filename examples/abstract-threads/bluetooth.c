//EXPECT: SAFE
/* Teardown of a Bluetooth driver, after Section 4.1 of "Abstract Threads" (TACAS 2010).

   Workers use the driver while one thread unloads it. `pending` counts who is inside,
   plus one for the driver itself; who brings it to zero raises `stop_event`, for which the
   unloading thread waits. A worker that is let in must not find the driver `stopped`.

   The driver's own worker enters before it looks whether the driver is being stopped;
   the abstract worker says what others see of that. It has no `status`: being let in is
   the state In, being turned away the state Out. */

#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int pending = 1;
_Bool stopping, stop_event, stopped;

static int add_to_pending(int amount)
{
    __VERIFIER_atomic_begin();
    pending = pending + amount;
    int now = pending;
    __VERIFIER_atomic_end();
    return now;
}

static int enter(void)
{
    int status;
    add_to_pending(1);
    if (stopping)
        status = -1;
    else
        status = 1;
    return status;
}

static void leave(void)
{
    if (add_to_pending(-1) == 0)
        stop_event = 1;
}

void *worker(void *unused)
{
    int status = enter();
    if (status > 0)
        assert(!stopped); /* the work is done here */
    leave();
    return 0;
}

void *__rely_abstract_worker(void *unused)
{
Idle:
    pending = pending + 1;
Entered:
    if (stopping)
        goto Out;
In:
    assert(!stopped);
    goto Out;
Out:
    __VERIFIER_atomic_begin();
    pending = pending - 1;
    if (pending != 0) {
        __VERIFIER_atomic_end();
        goto Gone;
    }
    __VERIFIER_atomic_end();
Last:
    stop_event = 1;
Gone:
    return 0;
}

void *unload(void *unused)
{
    stopping = 1;
    leave();
    __VERIFIER_assume(stop_event);
    stopped = 1; /* resources are released before this */
    return 0;
}

void *__rely_abstract_unload(void *unused)
{
Loaded:
    stopping = 1;
Stopping:
    __VERIFIER_atomic_begin();
    pending = pending - 1;
    if (pending != 0) {
        __VERIFIER_atomic_end();
        goto Wait;
    }
    __VERIFIER_atomic_end();
Alone:
    stop_event = 1;
Wait:
    __VERIFIER_assume(stop_event);
Free:
    stopped = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread, 0, worker, 0);
    pthread_create(&thread, 0, unload, 0);
    return 0;
}
