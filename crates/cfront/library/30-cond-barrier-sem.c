/* Condition variables, barriers, semaphores and `pthread_once` of POSIX.1-2017. */

/* Condition variables. A thread may wake up spuriously, that is at any time
   after it has begun to wait. So an execution in which a signal wakes it up is
   also one in which it wakes up by itself: signals add no reachable state, and
   a condition variable needs no state. A waiter does not touch it after it
   woke up: destroying it after a broadcast is allowed, and works. Who waits is counted only where deadlocks are asked for, or
   where a condition variable is destroyed, which is undefined while threads wait for it. That threads
   wait for it with different mutexes at a time (undefined) is not noticed. */
struct __rely_type_pthread_cond_t {
    int kind;
    unsigned waiting; /* threads that wait until they are woken */
    unsigned woken;   /* threads that were woken and have not noticed yet */
    _Bool initialised;
};
typedef struct __rely_type_pthread_cond_t __rely_cond;

struct __rely_type_pthread_condattr_t {
    signed char kind; /* the clock */
    signed char shared;
};
typedef struct __rely_type_pthread_condattr_t __rely_condattr;

int pthread_condattr_init(__rely_condattr *a)
{
    a->kind = 0;
    a->shared = 0;
    return 0;
}

int pthread_condattr_destroy(__rely_condattr *a)
{
    a->kind = -1;
    return 0;
}

int pthread_condattr_setclock(__rely_condattr *a, int clock)
{
    if ((unsigned)clock > 1) return __rely_EINVAL;
    a->kind = clock;
    return 0;
}

int pthread_condattr_getclock(const __rely_condattr *a, int *clock)
{
    *clock = a->kind;
    return 0;
}

int pthread_condattr_setpshared(__rely_condattr *a, int shared)
{
    if ((unsigned)shared > 1) return __rely_EINVAL;
    a->shared = shared;
    return 0;
}

int pthread_condattr_getpshared(const __rely_condattr *a, int *shared)
{
    *shared = a->shared;
    return 0;
}

int pthread_cond_init(__rely_cond *c, const __rely_condattr *a)
{
    __VERIFIER_atomic_begin();
    if (c->initialised) __rely_undefined("initialised_again");
    c->initialised = 1;
    c->kind = 0;
    c->waiting = 0;
    c->woken = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_cond_destroy(__rely_cond *c)
{
    __VERIFIER_atomic_begin();
    if (c->kind < 0) __rely_undefined("condition_destroyed_twice");
    __rely_note_destroyed_condition();
    if (c->waiting) __rely_undefined("condition_destroyed_in_use");
    c->kind = -1;
    c->initialised = 0;
    __VERIFIER_atomic_end();
    return 0;
}

/* Wakes one of the threads that wait, or all of them. */
static void __rely_wake(__rely_cond *c, int all)
{
    __VERIFIER_atomic_begin();
    if (c->waiting) {
        unsigned count = all ? c->waiting : 1;
        c->waiting -= count;
        c->woken += count;
    }
    __VERIFIER_atomic_end();
}

/* If waiters count, a thread wakes up by itself, sooner or later, or it waits until it is woken: both are looked
   at. To notice that one was woken changes nothing that others see, so it may as well happen before the next thread
   begins to wait: then only those that waited before are woken by a signal. */
static int __rely_waits(__rely_cond *c)
{
    if (!__rely_waiters_count() || __rely_nondet_bool()) return 0;
    c->waiting++;
    return 1;
}

static void __rely_sleep(__rely_cond *c)
{
    __rely_await(c->woken > 0);
    c->woken--;
    __VERIFIER_atomic_end();
}

int pthread_cond_signal(__rely_cond *c)
{
    __rely_lock("signal");
    if (c->kind < 0) __rely_undefined("condition_destroyed");
    if (__rely_waiters_count()) __rely_wake(c, 0);
    return 0;
}

int pthread_cond_broadcast(__rely_cond *c)
{
    __rely_lock("broadcast");
    if (c->kind < 0) __rely_undefined("condition_destroyed");
    if (__rely_waiters_count()) __rely_wake(c, 1);
    return 0;
}

static int __rely_cond_wait(__rely_cond *c, __rely_mutex *m, int may_sleep)
{
    int sleeps = 0;
    __rely_lock("wait");
    if (c->kind < 0) __rely_undefined("condition_destroyed");
    __rely_cancellation_point();
    if (may_sleep && __rely_waiters_count()) {
        __rely_await(c->woken == 0);
    } else {
        __VERIFIER_atomic_begin();
    }
    if (m->owner != __rely_self()) {
        if (m->kind != __rely_ERRORCHECK)
            __rely_undefined("wait_not_owned");
        __VERIFIER_atomic_end();
        return __rely_EPERM;
    }
    if (m->again) __rely_undefined("wait_locked_again");
    __rely_lock("release");
    m->owner = 0;
    if (may_sleep) sleeps = __rely_waits(c);
    __VERIFIER_atomic_end();
    if (sleeps) __rely_sleep(c);
    int cancelled = __rely_cancelled_in_wait();
    int result = pthread_mutex_lock(m);
    if (cancelled) __rely_act_on_cancel(); /* with the mutex locked */
    return result;
}

int pthread_cond_wait(__rely_cond *c, __rely_mutex *m)
{
    return __rely_cond_wait(c, m, 1);
}

int pthread_cond_timedwait(__rely_cond *c, __rely_mutex *m, const struct __librely_timespec *until)
{
    if (__rely_bad_time(until)) return __rely_EINVAL;
    int result = __rely_cond_wait(c, m, 0);
    if (result == 0 && __rely_nondet_bool()) result = __rely_ETIMEDOUT;
    return result;
}

int pthread_cond_clockwait(__rely_cond *c, __rely_mutex *m, int clock,
                           const struct __librely_timespec *until)
{
    if ((unsigned)clock > 1) return __rely_EINVAL;
    return pthread_cond_timedwait(c, m, until);
}

/* Barriers. A round is over when `count` threads have arrived; then
   `count - 1` of them are still to leave, and the next round begins when they
   have left. That loses no state: leaving changes nothing that others see, so
   each thread may as well leave before anything else happens. So no counter of
   rounds is needed, which would grow for ever. */
struct __rely_type_pthread_barrier_t {
    _Bool initialised;
    unsigned count; /* 0: not initialised or destroyed */
    unsigned arrived;
    unsigned leaving;
    int serial; /* has somebody of this round been chosen as the serial thread? */
};
typedef struct __rely_type_pthread_barrier_t __rely_barrier;

struct __rely_type_pthread_barrierattr_t {
    signed char kind;
    signed char shared;
};
typedef struct __rely_type_pthread_barrierattr_t __rely_barrierattr;

int pthread_barrierattr_init(__rely_barrierattr *a)
{
    a->kind = 0;
    a->shared = 0;
    return 0;
}

int pthread_barrierattr_destroy(__rely_barrierattr *a)
{
    a->kind = -1;
    return 0;
}

int pthread_barrierattr_setpshared(__rely_barrierattr *a, int shared)
{
    if ((unsigned)shared > 1) return __rely_EINVAL;
    a->shared = shared;
    return 0;
}

int pthread_barrierattr_getpshared(const __rely_barrierattr *a, int *shared)
{
    *shared = a->shared;
    return 0;
}

int pthread_barrier_init(__rely_barrier *b, const __rely_barrierattr *a, unsigned count)
{
    if (count == 0) return __rely_EINVAL;
    __VERIFIER_atomic_begin();
    if (b->initialised) __rely_undefined("initialised_again");
    b->initialised = 1;
    b->count = count;
    b->arrived = 0;
    b->leaving = 0;
    b->serial = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_barrier_destroy(__rely_barrier *b)
{
    __rely_await(b->leaving == 0);
    if (b->count == 0) __rely_undefined("barrier_destroyed_uninitialised");
    if (b->arrived) __rely_undefined("barrier_destroyed_in_use");
    b->count = 0;
    b->initialised = 0;
    __VERIFIER_atomic_end();
    return 0;
}

/* One thread of each round, no matter which, is told that it is the serial one. */
int pthread_barrier_wait(__rely_barrier *b)
{
    int result = 0;
    __rely_await(b->leaving == 0);
    if (b->count == 0) __rely_undefined("barrier_uninitialised");
    __rely_lock("wait");
    b->arrived++;
    if (!b->serial && (b->arrived == b->count || __rely_nondet_bool())) {
        b->serial = 1;
        result = -1;
    }
    if (b->arrived == b->count) {
        b->leaving = b->count - 1;
        b->arrived = 0;
        b->serial = 0;
        __VERIFIER_atomic_end();
        return result;
    }
    __VERIFIER_atomic_end();
    __rely_await(b->leaving > 0);
    b->leaving--;
    __VERIFIER_atomic_end();
    return result;
}

/* Semaphores. They report errors by `errno`. */
struct __rely_type_sem_t {
    int kind;
    unsigned value;
    _Bool initialised;
};
typedef struct __rely_type_sem_t __rely_sem;

int sem_init(__rely_sem *s, int shared, unsigned value)
{
    if (value > 2147483647u) return __rely_fail(__rely_EINVAL);
    __VERIFIER_atomic_begin();
    if (s->initialised) __rely_undefined("initialised_again");
    s->initialised = 1;
    s->kind = 0;
    s->value = value;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_destroy(__rely_sem *s)
{
    __VERIFIER_atomic_begin();
    if (s->kind < 0) __rely_undefined("semaphore_destroyed_twice");
    s->kind = -1;
    s->initialised = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_wait(__rely_sem *s)
{
    __rely_cancellation_point();
    /* The second condition: to destroy it while this thread waits is undefined. */
    __rely_await(s->value > 0 || s->kind < 0);
    if (s->kind < 0) __rely_undefined("semaphore_destroyed");
    __rely_lock("acquire");
    s->value--;
    __VERIFIER_atomic_end();
    return 0;
}

static int __rely_sem_try(__rely_sem *s)
{
    int success = 0;
    if (__rely_fails_without_cause()) return 0;
    __VERIFIER_atomic_begin();
    if (s->kind < 0) __rely_undefined("semaphore_destroyed");
    if (s->value > 0) {
        __rely_lock("acquire");
        s->value--;
        success = 1;
    }
    __VERIFIER_atomic_end();
    return success;
}

int sem_trywait(__rely_sem *s)
{
    return __rely_sem_try(s) ? 0 : __rely_fail(__rely_EAGAIN);
}

/* As with mutexes: no timeout if it can be decremented immediately. */
int sem_timedwait(__rely_sem *s, const struct __librely_timespec *until)
{
    __rely_cancellation_point();
    if (__rely_sem_try(s)) return 0;
    if (__rely_bad_time(until)) return __rely_fail(__rely_EINVAL);
    for (;;) {
        if (__rely_nondet_bool()) return __rely_fail(__rely_ETIMEDOUT);
        if (!__rely_deadlocks_count()) return sem_wait(s);
        if (__rely_sem_try(s)) return 0;
    }
}

int sem_clockwait(__rely_sem *s, int clock, const struct __librely_timespec *until)
{
    if ((unsigned)clock > 1) return __rely_fail(__rely_EINVAL);
    return sem_timedwait(s, until);
}

int sem_post(__rely_sem *s)
{
    int overflow = 0;
    __VERIFIER_atomic_begin();
    if (s->kind < 0) __rely_undefined("semaphore_destroyed");
    if (s->value == 2147483647u)
        overflow = 1;
    else {
        __rely_lock("release");
        s->value++;
    }
    __VERIFIER_atomic_end();
    return overflow ? __rely_fail(__rely_EOVERFLOW) : 0;
}

/* The value may be out of date when it is written. 0 if threads wait, as on Linux. */
int sem_getvalue(__rely_sem *s, int *value)
{
    if (s->kind < 0) __rely_undefined("semaphore_destroyed");
    *value = (int)s->value;
    return 0;
}

__rely_sem *sem_open(const char *name, int flags, ...) { __rely_unsupported("sem_open"); }
int sem_close(__rely_sem *s) { __rely_unsupported("sem_close"); }
int sem_unlink(const char *name) { __rely_unsupported("sem_unlink"); }

/* `kind` is 0 before, 1 during and 2 after the call of the routine. */
struct __rely_type_pthread_once_t {
    int kind;
};

int pthread_once(struct __rely_type_pthread_once_t *once, void (*routine)(void))
{
    __rely_synchronise();
    __rely_await(once->kind != 1);
    if (once->kind == 2) {
        __VERIFIER_atomic_end();
    } else {
        once->kind = 1;
        __VERIFIER_atomic_end();
        routine();
        __rely_synchronise();
        once->kind = 2;
    }
    return 0;
}
