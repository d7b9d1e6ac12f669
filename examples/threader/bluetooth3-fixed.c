//EXPECT: SAFE
// bluetooth2-fixed.c with two workers and one thread that stops the driver.
//
// Shows: how a proof grows with the number of threads. As with two threads, it
// has to speak of the position of others, since a count does not say whose it is.
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
    pthread_t a, b, s;
    pthread_create(&a, 0, pnp_add, 0);
    pthread_create(&b, 0, pnp_add, 0);
    pthread_create(&s, 0, pnp_stop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(s, 0);
}
