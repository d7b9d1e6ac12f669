//EXPECT: SAFE
// bluetooth2.c, repaired: the worker counts itself first, then looks whether the
// driver is about to stop, and takes its count back if so. One thread does I/O,
// one stops the driver.
//
// Shows: a proof that needs the position of other threads. The count says how
// many hold it, not who does; so in a modular proof the environment could take
// away the worker's own share.
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

void io_decrement(void)
{
    int pending;
    __VERIFIER_atomic_begin();
    pending = --extension.pending_io;
    __VERIFIER_atomic_end();
    if (pending == 0) extension.stopping_event = 1;
}

// Counts a request; -1 if the driver is about to stop.
int io_increment(void)
{
    __VERIFIER_atomic_begin();
    extension.pending_io++;
    __VERIFIER_atomic_end();
    if (extension.stopping_flag) {
        io_decrement();
        return -1;
    }
    return 0;
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
