//EXPECT: UNSAFE
// How a Bluetooth driver of Windows NT is stopped, from "KISS: keep it simple
// and sequential" (Qadeer, Wu, PLDI 2004). Whoever does I/O counts itself in
// `pending_io`; the stopper gives up the count that the driver holds for itself
// and waits until the last one raises `stopping_event`. One thread does I/O, one
// stops the driver.
//
// The table of the paper calls this program safe. As KISS published it, it is
// not: the worker looks at `stopping_flag` before it counts itself, so the
// driver can be stopped in between. KISS reports that very race.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct device_extension {
    int pending_io;     // requests under way, and one for the driver itself
    int stopping_flag;  // no further requests, please
    int stopping_event; // the last request is done
};

struct device_extension extension = {1, 0, 0};
int stopped; // the driver is gone

// Counts a request; -1 if the driver is about to stop.
int io_increment(void)
{
    if (extension.stopping_flag) return -1;
    __VERIFIER_atomic_begin();
    extension.pending_io++; // wrong: the driver may be gone by now
    __VERIFIER_atomic_end();
    return 0;
}

void io_decrement(void)
{
    int pending;
    __VERIFIER_atomic_begin();
    pending = --extension.pending_io;
    __VERIFIER_atomic_end();
    if (pending == 0) extension.stopping_event = 1;
}

void *pnp_add(void *arg)
{
    int status = io_increment();
    if (status == 0) {
        assert(!stopped); // do the work: the driver must be there
        io_decrement();
    }
    return 0;
}

void *pnp_stop(void *arg)
{
    extension.stopping_flag = 1;
    io_decrement();
    while (!extension.stopping_event) {}
    stopped = 1;
    return 0;
}

int main(void)
{
    pthread_t a, s;
    pthread_create(&a, 0, pnp_add, 0);
    pthread_create(&s, 0, pnp_stop, 0);
    pthread_join(a, 0);
    pthread_join(s, 0);
}
