//EXPECT: UNSAFE
// The order violation of Figure 4 in "Learning from mistakes" (Lu, Park, Seo,
// Zhou, ASPLOS 2008), from the input and output of Mozilla's portable runtime on
// the Macintosh. A thread hands a request to the operating system and waits until
// an interrupt says that it is done. Here it notes that a request is under way
// after it has handed it over: the interrupt can be quicker, and then the thread
// waits for ever.
//
// Shows: two writes, each of them right, in the wrong order.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

enum { READ_ASYNC = 1, WRITE_ASYNC };
enum { NO_ERR = 0, EOF_ERR = -39, IO_ERR = -36 };

// What a thread keeps for its input and output.
struct thread {
    int io_pending; // a request is under way, and nobody has waited for its end
    int io_file;    // the file it concerns
    int os_error;   // why a request could not be made
};

// A request, as the operating system wants it.
struct param_block {
    int file;
    int requested; // number of bytes
    int actual;    // how many there were
    int result;    // NO_ERR, or what went wrong
};

// What the device is to do: 0, READ_ASYNC or WRITE_ASYNC.
struct device {
    int request;
};

struct thread me;
struct param_block block;
struct device device;
pthread_mutex_t async_lock; // protects `me.io_pending`
pthread_cond_t async_done;  // "it is no longer set"
int last_error;

// The operating system: hands a request over and returns at once.

void pb_read_async(void)
{
    device.request = READ_ASYNC;
}

void pb_write_async(void)
{
    device.request = WRITE_ASYNC;
}

// The side of the interrupt.

void done_waiting_on_this_thread(void)
{
    assert(me.io_pending); // the thread expects the end of a request
    me.io_pending = 0;
    pthread_cond_signal(&async_done);
}

// What the operating system calls at the end of a request.
void async_io_completion(void)
{
    pthread_mutex_lock(&async_lock);
    device.request = 0; // the next one may come
    done_waiting_on_this_thread();
    pthread_mutex_unlock(&async_lock);
}

// Does what was requested.
void serve(int operation)
{
    if (operation == READ_ASYNC && __VERIFIER_nondet_int()) {
        block.actual = 0;
        block.result = EOF_ERR;
    } else if (__VERIFIER_nondet_int()) {
        block.actual = 0;
        block.result = IO_ERR;
    } else {
        block.actual = block.requested;
        block.result = NO_ERR;
    }
    async_io_completion();
}

void *interrupts(void *arg)
{
    int operation;
    while (1) {
        operation = device.request;
        if (operation != 0) serve(operation);
    }
    return 0;
}

// The side of the thread.

void prepare_for_async_completion(int file)
{
    me.io_file = file;
    me.os_error = NO_ERR;
    me.io_pending = 1;
}

void wait_on_this_thread(void)
{
    pthread_mutex_lock(&async_lock);
    while (me.io_pending) {
        pthread_cond_wait(&async_done, &async_lock);
    }
    pthread_mutex_unlock(&async_lock);
}

int fail(int error)
{
    me.os_error = error;
    last_error = error;
    return -1;
}

// Reads or writes some bytes; their number, or -1.
int read_write_proc(int file, int bytes, int operation)
{
    if (file <= 0) return fail(IO_ERR);

    block.file = file;
    block.requested = bytes;
    block.actual = 0;
    block.result = NO_ERR;

    if (operation == READ_ASYNC) {
        pb_read_async();
    } else {
        pb_write_async();
    }

    prepare_for_async_completion(file); // too late if the device was quick

    wait_on_this_thread();

    if (me.os_error != NO_ERR) return fail(me.os_error);
    if (block.result != NO_ERR && block.result != EOF_ERR) return fail(block.result);
    return block.actual;
}

// Copies one block of a file to another one.
void *copy(void *arg)
{
    int bytes = read_write_proc(1, 16, READ_ASYNC);
    if (bytes > 0) {
        read_write_proc(2, bytes, WRITE_ASYNC);
    }
    return 0;
}

int main(void)
{
    pthread_t worker, device_thread;
    pthread_mutex_init(&async_lock, 0);
    pthread_cond_init(&async_done, 0);
    pthread_create(&worker, 0, copy, 0);
    pthread_create(&device_thread, 0, interrupts, 0);
    pthread_join(worker, 0);
}
