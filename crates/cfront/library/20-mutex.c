/* Mutexes, read-write locks and spin locks of POSIX.1-2017. */

/* Values of `kind`, as in glibc. DEFAULT is NORMAL, as in glibc too. */
enum {
    __rely_NORMAL = 0,
    __rely_RECURSIVE = 1,
    __rely_ERRORCHECK = 2,
    __rely_ADAPTIVE = 3
};

struct __rely_type_pthread_mutex_t {
    int kind;
    __rely_thread owner;      /* 0: nobody */
    unsigned again; /* how often a recursive mutex is locked beyond the first time */
    _Bool initialised;
};
typedef struct __rely_type_pthread_mutex_t __rely_mutex;

struct __rely_type_pthread_mutexattr_t {
    signed char kind;
    signed char shared;
    signed char protocol;
};
typedef struct __rely_type_pthread_mutexattr_t __rely_mutexattr;

int pthread_mutexattr_init(__rely_mutexattr *a)
{
    a->kind = __rely_NORMAL;
    a->shared = 0;
    a->protocol = 0;
    return 0;
}

int pthread_mutexattr_destroy(__rely_mutexattr *a)
{
    a->kind = -1;
    return 0;
}

int pthread_mutexattr_settype(__rely_mutexattr *a, int kind)
{
    if ((unsigned)kind > __rely_ADAPTIVE) return __rely_EINVAL;
    a->kind = kind;
    return 0;
}

int pthread_mutexattr_gettype(const __rely_mutexattr *a, int *kind)
{
    *kind = a->kind;
    return 0;
}

int pthread_mutexattr_setpshared(__rely_mutexattr *a, int shared)
{
    if ((unsigned)shared > 1) return __rely_EINVAL;
    a->shared = shared;
    return 0;
}

int pthread_mutexattr_getpshared(const __rely_mutexattr *a, int *shared)
{
    *shared = a->shared;
    return 0;
}

int pthread_mutexattr_setprotocol(__rely_mutexattr *a, int protocol)
{
    /* Priority inheritance changes no safety property; a ceiling makes locking fail. */
    if (protocol == 2) __rely_unsupported("a mutex with a priority ceiling");
    if ((unsigned)protocol > 2) return __rely_EINVAL;
    a->protocol = protocol;
    return 0;
}

int pthread_mutexattr_getprotocol(const __rely_mutexattr *a, int *protocol)
{
    *protocol = a->protocol;
    return 0;
}

int pthread_mutexattr_setrobust(__rely_mutexattr *a, int robust)
{
    if (robust == 1) __rely_unsupported("a robust mutex");
    return robust == 0 ? 0 : __rely_EINVAL;
}

int pthread_mutexattr_getrobust(const __rely_mutexattr *a, int *robust)
{
    *robust = 0;
    return 0;
}

int pthread_mutex_init(__rely_mutex *m, const __rely_mutexattr *a)
{
    int kind = a ? a->kind : __rely_NORMAL;
    __VERIFIER_atomic_begin();
    if (m->initialised) __rely_undefined("initialised_again");
    m->initialised = 1;
    m->kind = kind;
    m->owner = 0;
    m->again = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_mutex_destroy(__rely_mutex *m)
{
    __VERIFIER_atomic_begin();
    if (m->owner) __rely_undefined("mutex_destroyed_locked");
    if (m->kind < 0) __rely_undefined("mutex_destroyed_twice");
    m->kind = -1;
    m->initialised = 0;
    __VERIFIER_atomic_end();
    return 0;
}

/* An owner may go on if the mutex is recursive or checks errors; the owner of
   another one waits for ever. A destroyed mutex has no owner: nobody waits. */
int pthread_mutex_lock(__rely_mutex *m)
{
    __rely_thread self = __rely_self();
    int result = 0;
    __rely_await(m->owner == 0
                 || (m->owner == self
                     && (m->kind == __rely_RECURSIVE || m->kind == __rely_ERRORCHECK)));
    if ((unsigned)m->kind > __rely_ADAPTIVE) __rely_undefined("mutex_uninitialised");
    if (m->owner == 0) {
        __rely_lock("acquire");
        m->owner = self;
    } else if (m->kind == __rely_ERRORCHECK) {
        result = __rely_EDEADLK;
    } else if (m->again == 4294967295u) {
        result = __rely_EAGAIN;
    } else {
        m->again++;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_mutex_trylock(__rely_mutex *m)
{
    __rely_thread self = __rely_self();
    int result = 0;
    if (__rely_fails_without_cause()) return __rely_EBUSY;
    __VERIFIER_atomic_begin();
    if ((unsigned)m->kind > __rely_ADAPTIVE) __rely_undefined("mutex_uninitialised");
    if (m->owner == 0) {
        __rely_lock("acquire");
        m->owner = self;
    } else if (m->owner != self || m->kind != __rely_RECURSIVE) {
        result = __rely_EBUSY;
    } else if (m->again == 4294967295u) {
        result = __rely_EAGAIN;
    } else {
        m->again++;
    }
    __VERIFIER_atomic_end();
    return result;
}

/* "Under no circumstance shall the function fail with a timeout if the mutex
   can be locked immediately." Else it times out or gets the mutex later. */
int pthread_mutex_timedlock(__rely_mutex *m, const struct __librely_timespec *until)
{
    int result = pthread_mutex_trylock(m);
    if (result != __rely_EBUSY) return result;
    if (m->kind != __rely_ERRORCHECK || m->owner != __rely_self()) {
        if (__rely_bad_time(until)) return __rely_EINVAL;
        do {
            if (__rely_nondet_bool()) return __rely_ETIMEDOUT;
            if (!__rely_deadlocks_count()) return pthread_mutex_lock(m);
            result = pthread_mutex_trylock(m);
        } while (result == __rely_EBUSY);
        return result;
    }
    return pthread_mutex_lock(m);
}

int pthread_mutex_clocklock(__rely_mutex *m, int clock, const struct __librely_timespec *until)
{
    if ((unsigned)clock > 1) return __rely_EINVAL;
    return pthread_mutex_timedlock(m, until);
}

int pthread_mutex_unlock(__rely_mutex *m)
{
    int result = 0;
    __VERIFIER_atomic_begin();
    if ((unsigned)m->kind > __rely_ADAPTIVE) __rely_undefined("mutex_uninitialised");
    if (m->owner != __rely_self()) {
        if (m->kind != __rely_RECURSIVE && m->kind != __rely_ERRORCHECK)
            __rely_undefined("mutex_not_owned");
        result = __rely_EPERM;
    } else if (m->again) {
        m->again--;
    } else {
        __rely_lock("release");
        m->owner = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_mutex_consistent(__rely_mutex *m)
{
    return __rely_EINVAL; /* not a robust mutex */
}

/* Read-write locks. A lock knows how many threads hold it for reading, and each thread which locks it
   holds so itself. A reader that asks for writing waits for ever (EDEADLK is
   allowed, glibc does not return it). `kind` 2: glibc prefers writers. */
struct __rely_type_pthread_rwlock_t {
    int kind;
    __rely_thread writer; /* 0: nobody */
    unsigned readers;
    _Bool initialised;
};
typedef struct __rely_type_pthread_rwlock_t __rely_rwlock;

struct __rely_type_pthread_rwlockattr_t {
    int kind;
    int shared;
};
typedef struct __rely_type_pthread_rwlockattr_t __rely_rwlockattr;

int pthread_rwlockattr_init(__rely_rwlockattr *a)
{
    a->kind = 0;
    a->shared = 0;
    return 0;
}

int pthread_rwlockattr_destroy(__rely_rwlockattr *a)
{
    a->kind = -1;
    return 0;
}

int pthread_rwlockattr_setpshared(__rely_rwlockattr *a, int shared)
{
    if ((unsigned)shared > 1) return __rely_EINVAL;
    a->shared = shared;
    return 0;
}

int pthread_rwlockattr_getpshared(const __rely_rwlockattr *a, int *shared)
{
    *shared = a->shared;
    return 0;
}

int pthread_rwlockattr_setkind_np(__rely_rwlockattr *a, int kind)
{
    if ((unsigned)kind > 2) return __rely_EINVAL;
    a->kind = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const __rely_rwlockattr *a, int *kind)
{
    *kind = a->kind;
    return 0;
}

int pthread_rwlock_init(__rely_rwlock *l, const __rely_rwlockattr *a)
{
    int kind = a ? a->kind : 0;
    __VERIFIER_atomic_begin();
    if (l->initialised) __rely_undefined("initialised_again");
    l->initialised = 1;
    l->kind = kind;
    l->writer = 0;
    l->readers = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(__rely_rwlock *l)
{
    __VERIFIER_atomic_begin();
    if (l->writer || l->readers) __rely_undefined("rwlock_destroyed_locked");
    if (l->kind < 0) __rely_undefined("rwlock_destroyed_twice");
    l->kind = -1;
    l->initialised = 0;
    __VERIFIER_atomic_end();
    return 0;
}

/* The locks that a thread holds for reading, some perhaps twice. */
static __thread __rely_rwlock *__rely_read_1, *__rely_read_2, *__rely_read_3, *__rely_read_4;

static void __rely_hold_for_reading(__rely_rwlock *l)
{
    if (!__rely_read_1) __rely_read_1 = l;
    else if (!__rely_read_2) __rely_read_2 = l;
    else if (!__rely_read_3) __rely_read_3 = l;
    else if (!__rely_read_4) __rely_read_4 = l;
    else __rely_unsupported("a thread that holds more than 4 locks for reading");
}

static void __rely_release_for_reading(__rely_rwlock *l)
{
    if (__rely_read_1 == l) __rely_read_1 = 0;
    else if (__rely_read_2 == l) __rely_read_2 = 0;
    else if (__rely_read_3 == l) __rely_read_3 = 0;
    else if (__rely_read_4 == l) __rely_read_4 = 0;
    else __rely_undefined("rwlock_not_held");
}

int pthread_rwlock_rdlock(__rely_rwlock *l)
{
    __rely_possible_cancellation_point();
    __rely_thread self = __rely_self();
    int result = 0;
    __rely_await(l->writer == 0 || l->writer == self);
    if (l->kind < 0) __rely_undefined("rwlock_destroyed");
    if (l->kind == 2 && __rely_deadlocks_count()) /* a reader waits while a writer does, though it may read already */
        __rely_unsupported("deadlocks where writers come first");
    if (l->writer)
        result = __rely_EDEADLK; /* or it blocks for ever */
    else {
        __rely_lock("acquire_shared");
        l->readers++;
        __rely_hold_for_reading(l);
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_tryrdlock(__rely_rwlock *l)
{
    int result = 0;
    if (__rely_fails_without_cause()) return __rely_EBUSY;
    __VERIFIER_atomic_begin();
    if (l->kind < 0) __rely_undefined("rwlock_destroyed");
    /* A writer that waits (for readers) may come first if it is preferred. */
    if (l->writer || (l->kind == 2 && l->readers && __rely_nondet_bool()))
        result = __rely_EBUSY;
    else {
        __rely_lock("acquire_shared");
        l->readers++;
        __rely_hold_for_reading(l);
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_timedrdlock(__rely_rwlock *l, const struct __librely_timespec *until)
{
    __rely_possible_cancellation_point();
    int result = pthread_rwlock_tryrdlock(l);
    if (result == 0) return 0;
    if (__rely_bad_time(until)) return __rely_EINVAL;
    if (__rely_deadlocks_count()) __rely_unsupported("deadlocks where a wait has a time limit");
    if (__rely_nondet_bool()) return __rely_ETIMEDOUT;
    return pthread_rwlock_rdlock(l);
}

int pthread_rwlock_wrlock(__rely_rwlock *l)
{
    __rely_possible_cancellation_point();
    __rely_thread self = __rely_self();
    int result = 0;
    __rely_await((l->writer == 0 && l->readers == 0) || l->writer == self);
    if (l->kind < 0) __rely_undefined("rwlock_destroyed");
    if (l->writer)
        result = __rely_EDEADLK; /* or it blocks for ever */
    else {
        __rely_lock("acquire");
        l->writer = self;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_trywrlock(__rely_rwlock *l)
{
    int result = 0;
    if (__rely_fails_without_cause()) return __rely_EBUSY;
    __VERIFIER_atomic_begin();
    if (l->kind < 0) __rely_undefined("rwlock_destroyed");
    if (l->writer || l->readers)
        result = __rely_EBUSY;
    else {
        __rely_lock("acquire");
        l->writer = __rely_self();
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_timedwrlock(__rely_rwlock *l, const struct __librely_timespec *until)
{
    __rely_possible_cancellation_point();
    int result = pthread_rwlock_trywrlock(l);
    if (result == 0) return 0;
    if (__rely_bad_time(until)) return __rely_EINVAL;
    if (__rely_deadlocks_count()) __rely_unsupported("deadlocks where a wait has a time limit");
    if (__rely_nondet_bool()) return __rely_ETIMEDOUT;
    return pthread_rwlock_wrlock(l);
}

int pthread_rwlock_clockrdlock(__rely_rwlock *l, int clock, const struct __librely_timespec *until)
{
    if ((unsigned)clock > 1) return __rely_EINVAL;
    return pthread_rwlock_timedrdlock(l, until);
}

int pthread_rwlock_clockwrlock(__rely_rwlock *l, int clock, const struct __librely_timespec *until)
{
    if ((unsigned)clock > 1) return __rely_EINVAL;
    return pthread_rwlock_timedwrlock(l, until);
}

int pthread_rwlock_unlock(__rely_rwlock *l)
{
    __VERIFIER_atomic_begin();
    if (l->kind < 0) __rely_undefined("rwlock_destroyed");
    if (l->writer == __rely_self()) {
        __rely_lock("release");
        l->writer = 0;
    }
    else if (l->writer || l->readers == 0)
        __rely_undefined("rwlock_not_held");
    else {
        __rely_release_for_reading(l);
        __rely_lock("release");
        l->readers--;
    }
    __VERIFIER_atomic_end();
    return 0;
}

/* Spin locks. To lock one's own lock is undefined, unlike with mutexes. One of zeros is not initialised: on x86, glibc
   takes it for a locked one. */
struct __rely_type_pthread_spinlock_t {
    int kind; /* 1: initialised, and not destroyed */
    __rely_thread owner; /* 0: nobody */
    _Bool initialised;
};
typedef struct __rely_type_pthread_spinlock_t __rely_spinlock;

int pthread_spin_init(__rely_spinlock *l, int shared)
{
    __VERIFIER_atomic_begin();
    if (l->initialised) __rely_undefined("initialised_again");
    l->initialised = 1;
    l->kind = 1;
    l->owner = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_destroy(__rely_spinlock *l)
{
    __VERIFIER_atomic_begin();
    if (l->owner) __rely_undefined("spin_destroyed_locked");
    if (l->kind != 1) __rely_undefined("spin_destroyed_twice");
    l->kind = -1;
    l->initialised = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_lock(__rely_spinlock *l)
{
    __rely_thread self = __rely_self();
    __rely_await(l->owner == 0 || l->owner == self);
    if (l->kind != 1) __rely_undefined("spin_destroyed");
    if (l->owner) __rely_undefined("spin_relocked");
    __rely_lock("acquire");
    l->owner = self;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_spin_trylock(__rely_spinlock *l)
{
    int result = 0;
    if (__rely_fails_without_cause()) return __rely_EBUSY;
    __VERIFIER_atomic_begin();
    if (l->kind != 1) __rely_undefined("spin_destroyed");
    if (l->owner)
        result = __rely_EBUSY;
    else {
        __rely_lock("acquire");
        l->owner = __rely_self();
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_spin_unlock(__rely_spinlock *l)
{
    __VERIFIER_atomic_begin();
    if (l->kind != 1) __rely_undefined("spin_destroyed");
    if (l->owner != __rely_self())
        __rely_undefined("spin_not_held");
    __rely_lock("release");
    l->owner = 0;
    __VERIFIER_atomic_end();
    return 0;
}
