//EXPECT: SAFE
/* Teardown of a battery driver, after Section 4.2 of "Abstract Threads" (TACAS 2010).

   One thread unloads the driver while a worker may still be queued or at work. `in_use`
   counts who uses the driver's data; who brings it to zero says that it is `ready` to be
   removed. `active` counts requests for work. After `stopped`, the data is gone: nobody
   may touch it, which is asserted before every access (except to the queue).

   The abstract worker knows neither the worker's number `i` nor why it leaves: in state
   Work it may use the data, finish a request, or leave for good. It fails more often
   than the worker: it insists on data that is there as long as it is at work. */

#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int active, in_use = 2, queued;
_Bool want_to_remove, ready, stopped;

/* Interlocked operations of the driver. */
static int add_active(int amount)
{
    __VERIFIER_atomic_begin();
    active = active + amount;
    int now = active;
    __VERIFIER_atomic_end();
    return now;
}

static void start_using(void)
{
    __VERIFIER_atomic_begin();
    in_use = in_use + 1;
    __VERIFIER_atomic_end();
}

static int stop_using(void)
{
    __VERIFIER_atomic_begin();
    in_use = in_use - 1;
    int now = in_use;
    if (now == 0)
        ready = 1;
    __VERIFIER_atomic_end();
    return now;
}

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(queued > 0);
    queued = queued - 1;
    __VERIFIER_atomic_end();
    for (;;) {
        assert(!stopped);
        if (want_to_remove) {
            assert(!stopped);
            stop_using();
            break;
        }
        if (__VERIFIER_nondet_int()) {
            assert(!stopped);
            start_using();
            assert(!stopped);
            stop_using();
        }
        assert(!stopped);
        int i = add_active(-1);
        if (i == 0)
            break;
        if (i != 1) {
            assert(!stopped);
            active = 1;
        }
    }
    return 0;
}

void *__rely_abstract_worker(void *unused)
{
Queued:
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(queued > 0);
    queued = queued - 1;
    __VERIFIER_atomic_end();
Work:
    assert(!stopped);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        goto Leave;
    case 1:
        in_use = in_use + 1;
        goto Use;
    case 2:
        active = 1;
        goto Work;
    default:
        __VERIFIER_atomic_begin();
        active = active - 1;
        if (active == 0) {
            __VERIFIER_atomic_end();
            goto Gone;
        }
        __VERIFIER_atomic_end();
        goto Work;
    }
Use:
    assert(!stopped);
    __VERIFIER_atomic_begin();
    in_use = in_use - 1;
    if (in_use == 0)
        ready = 1;
    __VERIFIER_atomic_end();
    goto Work;
Leave:
    __VERIFIER_atomic_begin();
    in_use = in_use - 1;
    if (in_use == 0)
        ready = 1;
    __VERIFIER_atomic_end();
Gone:
    return 0;
}

void *unload(void *unused)
{
    want_to_remove = 1;
    if (add_active(1) == 1) {
        if (__VERIFIER_nondet_int())
            stop_using();
        else {
            __VERIFIER_atomic_begin();
            queued = queued + 1;
            __VERIFIER_atomic_end();
        }
    }
    if (stop_using() > 0)
        __VERIFIER_assume(ready);
    stopped = 1;
    return 0;
}

void *__rely_abstract_unload(void *unused)
{
Plug:
    want_to_remove = 1;
Wanted:
    __VERIFIER_atomic_begin();
    active = active + 1;
    if (active != 1) {
        __VERIFIER_atomic_end();
        goto Release;
    }
    __VERIFIER_atomic_end();
First:
    if (__VERIFIER_nondet_int()) {
        queued = queued + 1;
        goto Release;
    }
    __VERIFIER_atomic_begin();
    in_use = in_use - 1;
    if (in_use == 0)
        ready = 1;
    __VERIFIER_atomic_end();
Release:
    __VERIFIER_atomic_begin();
    in_use = in_use - 1;
    if (in_use == 0)
        ready = 1;
    if (in_use <= 0) {
        __VERIFIER_atomic_end();
        goto Free;
    }
    __VERIFIER_atomic_end();
Wait:
    __VERIFIER_assume(ready);
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
//VACUOUS: a worker is queued only once the driver is to be removed, and then does nothing else
