/* The scheduler. Threads run as usual until a hook, `rely_at`, stands before what other threads can notice. Which thread may pass
   there, and when, says the schedule: blocks of steps, each of one thread. Within a block the order does not matter, since no other
   thread moves then. A thread with no steps left waits for ever, but for the one that fails.
   Waiting is a loop with a volatile variable, so that ThreadSanitizer takes nothing here for an order between threads. */

#define RELY_OWN __attribute__((no_sanitize("thread"), noinline, unused)) static
#define RELY_BARRIER() __sync_synchronize()

enum {
    RELY_PATIENCE = 200000, /* looks at the schedule, about 50 microseconds each, until a thread says that nothing happens */
    RELY_SPINS = 100       /* of these at the beginning are made without a pause */
};

int usleep(unsigned);
int sched_yield(void);
int dprintf(int, const char *, ...);
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));

static volatile int rely_now; /* the block whose turn it is */
static volatile char rely_taken[RELY_STEPS + 1];
static __thread int rely_self = RELY_MAIN;
static __thread int rely_block = -1; /* the next block of this thread; RELY_BLOCKS if there is none */
static __thread int rely_left;       /* how many of its steps are to come */
static __thread int rely_has_turn;

RELY_OWN void rely_find(int from)
{
    for (rely_block = from; rely_block < RELY_BLOCKS; rely_block++)
        if (rely_blocks[rely_block].thread == rely_self) {
            rely_left = rely_blocks[rely_block].end - rely_blocks[rely_block].first;
            return;
        }
}

/* The program does something else than the interleaving. */
RELY_OWN void rely_lost(const char *why)
{
    int now = rely_now;
    dprintf(2, "rely: the program has left the interleaving: %s\n", why);
    if (now < RELY_BLOCKS) {
        int next = rely_blocks[now].first;
        while (next < rely_blocks[now].end - 1 && rely_taken[next]) next++;
        dprintf(2, "rely: next should be thread %s at %s\n", rely_threads[rely_blocks[now].thread], rely_places[rely_steps[next].place]);
    }
    _exit(3);
}

RELY_OWN void rely_wait(int block)
{
    int seen = -1, idle = 0;
    while (rely_now < block) {
        if (seen != rely_now) {
            seen = rely_now;
            idle = 0;
        }
        if (++idle > RELY_PATIENCE) rely_lost("nothing happens");
        if (idle < RELY_SPINS) sched_yield();
        else usleep(50);
    }
    RELY_BARRIER();
}

/* Lets others go on, if the block of this thread is at its end. */
RELY_OWN void rely_leave(void)
{
    if (!rely_has_turn || rely_left > 0) return;
    int next = rely_block + 1;
    rely_has_turn = 0;
    rely_find(next);
    RELY_BARRIER();
    rely_now = next;
}

#if RELY_DEADLOCK
unsigned ualarm(unsigned, unsigned);
void (*signal(int, void (*)(int)))(int);

enum {
    RELY_TICK = 100000, /* microseconds until threads are counted that wait */
    RELY_TICKS = 300    /* so often, until others wait than should */
};

static volatile int rely_stands[RELY_THREADS + 1]; /* after the interleaving: where threads stand, from 1 */
static volatile int rely_ticks, rely_told;

/* For a while, no thread has come to another hook. */
RELY_OWN void rely_tell(int unused)
{
    int count = 0;
    (void)unused;
    for (int thread = 0; thread < RELY_THREADS; thread++) count += rely_stands[thread] != 0;
    if (count != RELY_DEADLOCK) {
        if (++rely_ticks > RELY_TICKS) rely_lost("other threads wait than should");
        ualarm(RELY_TICK, 0);
        return;
    }
    rely_told = 1;
    for (int thread = 0; thread < RELY_THREADS; thread++)
        if (rely_stands[thread])
            dprintf(2, "rely: thread %s waits at %s\n", rely_threads[thread], rely_places[rely_stands[thread] - 1]);
    dprintf(2, "rely: deadlock: these threads wait for ever\n");
}
#endif

/* The interleaving is over for this thread. */
RELY_OWN void rely_over(int place)
{
    rely_wait(RELY_BLOCKS);
#if RELY_DEADLOCK
    static __thread char seen[RELY_PLACES];
    if (place >= 0 && !seen[place]) {
        seen[place] = 1;
        rely_stands[rely_self] = place + 1;
        signal(14 /* SIGALRM */, rely_tell);
        if (rely_told) rely_lost("a thread goes on that should wait");
        ualarm(RELY_TICK, 0);
    } else {
        usleep(50);
    }
#else
#if RELY_RACE
    if (rely_self == RELY_FAILS) exit(0);
#endif
    while (rely_self != RELY_FAILS) usleep(100000);
#endif
}

/* Waits for the turn of the next block. */
RELY_OWN void rely_take_turn(void)
{
    if (rely_block < 0) rely_find(0);
    rely_leave();
    if (rely_block == RELY_BLOCKS) rely_over(-1);
    else if (!rely_has_turn) rely_wait(rely_block);
    rely_has_turn = rely_block < RELY_BLOCKS;
}

/* Stands before the step of this place; gives the value that it yields, if there is one. */
RELY_OWN long long rely_at(int place)
{
    if (rely_block < 0) rely_find(0);
    rely_leave();
    if (rely_block == RELY_BLOCKS) {
        rely_over(place);
        return 0;
    }
    int step = rely_blocks[rely_block].first;
    while (step < rely_blocks[rely_block].end && (rely_taken[step] || rely_steps[step].place != place)) step++;
    if (step == rely_blocks[rely_block].end) return 0; /* nothing that others can notice */
    if (!rely_has_turn) rely_wait(rely_block);
    rely_has_turn = 1;
    rely_taken[step] = 1;
    rely_left--;
    return rely_steps[step].value;
}

#if RELY_FAILS_AT_END
int atexit(void (*)(void));

/* Who looks for lost memory must not find its address where `main` had its variables. */
__attribute__((no_sanitize("address"), noinline)) static void rely_wipe(void)
{
    volatile char stack[65536];
    for (unsigned i = 0; i < sizeof stack; i++) stack[i] = 0;
}
#endif

/* Stands before the second step of a call, if it is told apart. */
RELY_OWN void rely_again(int place)
{
    if (rely_block < RELY_BLOCKS) rely_at(place);
    else rely_over(-1);
}

/* This thread ends. */
RELY_OWN void rely_ends(void)
{
#if RELY_FAILS_AT_END
    if (rely_self == RELY_FAILS) atexit(rely_wipe);
#endif
    rely_at(RELY_END);
    rely_leave();
    if (rely_block < RELY_BLOCKS) rely_lost("a thread ends too early");
#if RELY_DEADLOCK
    rely_stands[rely_self] = 0;
#endif
    if (rely_self == RELY_FAILS && rely_now == RELY_BLOCKS && !RELY_FAILS_AT_END) {
        dprintf(2, "rely: the interleaving is over, and nothing was noticed; compile with: cc -pthread %s\n", RELY_FLAGS);
        _exit(3);
    }
}

RELY_OWN void rely_fails(const char *what)
{
    dprintf(2, "rely: %s\n", what);
    abort();
}

#if RELY_SECTIONS
/* An atomic section: nobody disturbs it, since nobody else has a turn. The lock is for who looks for races. */
#if RELY_POSIX
static pthread_mutex_t rely_section;
#endif

RELY_OWN void rely___VERIFIER_atomic_begin(void)
{
    rely_take_turn();
#if RELY_POSIX
    pthread_mutex_lock(&rely_section);
#endif
}

RELY_OWN void rely___VERIFIER_atomic_end(void)
{
#if RELY_POSIX
    pthread_mutex_unlock(&rely_section);
#endif
}
#endif

#if RELY_ASSUMES
RELY_OWN void rely___VERIFIER_assume(int condition)
{
    while (!condition) usleep(100000);
}
#endif

#if RELY_CREATES
struct rely_start {
    void *(*routine)(void *);
    void *arg;
    int self;
};
static struct rely_start rely_starts[RELY_THREADS + 1];

static void *rely_begin(void *start)
{
    struct rely_start own = *(struct rely_start *)start;
    rely_self = own.self;
    void *result = own.routine(own.arg);
    rely_ends();
    return result;
}

/* The value of the step is the number of the thread, from 1. A thread that is in no step gets the last one. */
static int rely_pthread_create(int place, int stores, pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *), void *arg)
{
    int number = (int)rely_at(place);
    int self = number > 0 ? number - 1 : RELY_THREADS;
    pthread_t created;
    rely_starts[self] = (struct rely_start){routine, arg, self};
    int result = pthread_create(&created, attributes, rely_begin, &rely_starts[self]);
    rely_leave();
    rely_again(stores);
    if (result == 0) *id = created;
    return result;
}
#endif

#if RELY_CREATES_C11
struct rely_start_c11 {
    int (*routine)(void *);
    void *arg;
    int self;
};
static struct rely_start_c11 rely_starts_c11[RELY_THREADS + 1];

static int rely_begin_c11(void *start)
{
    struct rely_start_c11 own = *(struct rely_start_c11 *)start;
    rely_self = own.self;
    int result = own.routine(own.arg);
    rely_ends();
    return result;
}

static int rely_thrd_create(int place, int stores, thrd_t *id, int (*routine)(void *), void *arg)
{
    int number = (int)rely_at(place);
    int self = number > 0 ? number - 1 : RELY_THREADS;
    thrd_t created;
    rely_starts_c11[self] = (struct rely_start_c11){routine, arg, self};
    int result = thrd_create(&created, rely_begin_c11, &rely_starts_c11[self]);
    rely_leave();
    rely_again(stores);
    if (result == 0) *id = created;
    return result;
}
#endif

#if RELY_WAITS
/* Who is woken, and when, says the schedule: signals do nothing. After a deadlock a thread waits for real. */
static int rely_pthread_cond_wait(int sleeps, int wakes, pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    rely_at(sleeps);
    if (rely_block == RELY_BLOCKS) return pthread_cond_wait(condition, mutex);
    pthread_mutex_unlock(mutex);
    rely_leave();
    rely_at(wakes);
    pthread_mutex_lock(mutex);
    return rely_block == RELY_BLOCKS ? pthread_cond_wait(condition, mutex) : 0;
}
#endif

#if RELY_WAITS_TIMED
static int rely_pthread_cond_timedwait(int sleeps, int wakes, pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    rely_at(sleeps);
    pthread_mutex_unlock(mutex);
    rely_leave();
    long long late = rely_at(wakes);
    pthread_mutex_lock(mutex);
    (void)condition;
    (void)until;
    return late ? 110 /* ETIMEDOUT */ : 0;
}
#endif

#if RELY_WAITS_C11
static int rely_cnd_wait(int sleeps, int wakes, cnd_t *condition, mtx_t *mutex)
{
    rely_at(sleeps);
    if (rely_block == RELY_BLOCKS) return cnd_wait(condition, mutex);
    mtx_unlock(mutex);
    rely_leave();
    rely_at(wakes);
    mtx_lock(mutex);
    return rely_block == RELY_BLOCKS ? cnd_wait(condition, mutex) : 0;
}
#endif

#if RELY_BARRIERS
/* The others come while this thread waits for real. */
static int rely_pthread_barrier_wait(int arrives, int leaves, pthread_barrier_t *barrier)
{
    rely_at(arrives);
    rely_leave();
    int result = pthread_barrier_wait(barrier);
    rely_again(leaves);
    return result;
}
#endif
