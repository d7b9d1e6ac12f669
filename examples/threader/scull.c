//EXPECT: SAFE
// scull, the character device of "Linux Device Drivers" (Corbet, Rubini,
// Kroah-Hartman, 3rd edition, 2005, chapters 3, 5 and 6): a region of memory that
// processes open, read, write and seek in as if it were a device. Two processes
// use one device at the same time, and a semaphore protects it.
//
// The memory is a list of quantum sets, each an array of quanta, each of so many
// bytes. Here the list is an array, a quantum has the number of its bytes for
// content, and a position is three numbers, so that nothing has to be divided.
// Whoever touches the memory says so in `user`, and asserts at the end of the
// access that nobody else has done so in between.
//
// Modular: the semaphore says who holds it. A process that holds it knows that it
// does, and relies on others to leave `user` alone while they do not.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

enum { QUANTUM = 4, QSET = 2, SETS = 2 }; // bytes, quanta, quantum sets
enum { O_RDONLY, O_WRONLY, O_RDWR };
enum { SEEK_SET, SEEK_END };
enum { IOC_RESET, IOC_SET_QUANTUM, IOC_GET_QUANTUM, IOC_EXCHANGE_QUANTUM };
enum { ENOMEM = 12, EFAULT = 14, EINVAL = 22, ENOTTY = 25, ERESTARTSYS = 85 };

struct scull_qset {
    int present;     // was it allocated?
    int bytes[QSET]; // of each quantum, how many were written
};

struct scull_dev {
    struct scull_qset data[SETS];
    int quantum; // bytes in a quantum, for this device
    int size;    // bytes in the device
    pthread_mutex_t sem;
};

struct scull_dev device = {.quantum = QUANTUM};
int scull_quantum = QUANTUM; // for devices that are emptied from now on
int user;                    // who touched the memory of the device last

// An open file.
struct file {
    int process; // who opened it: 1 or 2
    int mode;
    int set, quantum, offset; // the position
};

// The semaphore. A signal can end the wait for it.

int down_interruptible(void)
{
    if (__VERIFIER_nondet_int()) return -ERESTARTSYS;
    pthread_mutex_lock(&device.sem);
    return 0;
}

void up(void)
{
    pthread_mutex_unlock(&device.sem);
}

// The memory. Whoever calls these holds the semaphore.

// Empties the device.
void scull_trim(int process)
{
    user = process;
    for (int set = 0; set < SETS; set++) {
        device.data[set].present = 0;
        for (int quantum = 0; quantum < QSET; quantum++) {
            device.data[set].bytes[quantum] = 0;
        }
    }
    device.size = 0;
    device.quantum = scull_quantum;
    assert(user == process);
}

// Makes sure that there is a quantum set of this number.
int scull_follow(int process, int set)
{
    if (set < 0 || set >= SETS) return -ENOMEM;
    user = process;
    if (!device.data[set].present) {
        if (__VERIFIER_nondet_int()) return -ENOMEM;
        device.data[set].present = 1;
    }
    assert(user == process);
    return 0;
}

// How many bytes a quantum has; 0 if it does not exist.
int load(int process, int set, int quantum)
{
    int bytes;
    if (set < 0 || set >= SETS || quantum < 0 || quantum >= QSET) return 0;
    user = process;
    if (!device.data[set].present) return 0;
    bytes = device.data[set].bytes[quantum];
    assert(user == process);
    return bytes;
}

// A quantum has that many bytes now, if it had fewer.
void store(int process, int set, int quantum, int bytes)
{
    if (set < 0 || set >= SETS || quantum < 0 || quantum >= QSET) return;
    user = process;
    if (device.data[set].bytes[quantum] < bytes) {
        device.size += bytes - device.data[set].bytes[quantum];
        device.data[set].bytes[quantum] = bytes;
    }
    assert(user == process);
}

// Positions.

void rewind_to_start(struct file *file)
{
    file->set = 0;
    file->quantum = 0;
    file->offset = 0;
}

// Moves on; at the end of a quantum, to the next one.
void advance(struct file *file, int count, int quantum)
{
    file->offset += count;
    if (file->offset < quantum) return;
    file->offset = 0;
    file->quantum++;
    if (file->quantum < QSET) return;
    file->quantum = 0;
    file->set++;
}

// The calls of the device. Each gives a negative number if something went wrong.

int scull_open(struct file *file, int process, int mode)
{
    file->process = process;
    file->mode = mode;
    rewind_to_start(file);
    if (mode == O_WRONLY) {
        if (down_interruptible()) return -ERESTARTSYS;
        scull_trim(process);
        up();
    }
    return 0;
}

int scull_read(struct file *file, int count)
{
    int result = 0;
    int bytes;
    if (down_interruptible()) return -ERESTARTSYS;

    bytes = load(file->process, file->set, file->quantum);
    if (file->offset >= bytes) goto out; // nothing there: the end of the file
    if (count > bytes - file->offset) count = bytes - file->offset;

    if (__VERIFIER_nondet_int()) { // the process has no space for it
        result = -EFAULT;
        goto out;
    }
    advance(file, count, device.quantum);
    result = count;

out:
    up();
    return result;
}

int scull_write(struct file *file, int count)
{
    int result = -ENOMEM;
    if (down_interruptible()) return -ERESTARTSYS;

    if (scull_follow(file->process, file->set) < 0) goto out;
    if (count > device.quantum - file->offset) count = device.quantum - file->offset;

    if (__VERIFIER_nondet_int()) { // what is to be written is not there
        result = -EFAULT;
        goto out;
    }
    store(file->process, file->set, file->quantum, file->offset + count);
    advance(file, count, device.quantum);
    result = count;

out:
    up();
    return result;
}

int scull_llseek(struct file *file, int whence)
{
    switch (whence) {
    case SEEK_SET:
        rewind_to_start(file);
        return 0;
    case SEEK_END:
        if (down_interruptible()) return -ERESTARTSYS;
        rewind_to_start(file);
        while (file->set < SETS && load(file->process, file->set, file->quantum) > 0) {
            advance(file, device.quantum, device.quantum);
        }
        up();
        return 0;
    default:
        return -EINVAL;
    }
}

// These are for devices to come and need no semaphore.
int scull_ioctl(int command, int argument)
{
    int old;
    switch (command) {
    case IOC_RESET:
        scull_quantum = QUANTUM;
        return 0;
    case IOC_SET_QUANTUM:
        if (argument <= 0) return -EINVAL;
        scull_quantum = argument;
        return 0;
    case IOC_GET_QUANTUM:
        return scull_quantum;
    case IOC_EXCHANGE_QUANTUM:
        if (argument <= 0) return -EINVAL;
        old = scull_quantum;
        scull_quantum = argument;
        return old;
    default:
        return -ENOTTY;
    }
}

// Two processes.

void *log_writer(void *arg)
{
    struct file log;
    if (scull_open(&log, 1, O_WRONLY) < 0) return 0;
    if (scull_write(&log, 3) < 0) return 0;
    if (scull_llseek(&log, SEEK_END) < 0) return 0;
    scull_write(&log, 4);
    return 0;
}

void *log_reader(void *arg)
{
    struct file log;
    scull_ioctl(IOC_EXCHANGE_QUANTUM, 2);
    if (scull_open(&log, 2, O_RDWR) < 0) return 0;
    while (scull_read(&log, 4) > 0) {}
    if (scull_llseek(&log, SEEK_SET) < 0) return 0;
    scull_write(&log, 1);
    scull_ioctl(IOC_RESET, 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_init(&device.sem, 0);
    pthread_create(&a, 0, log_writer, 0);
    pthread_create(&b, 0, log_reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
