/* Threads of POSIX.1-2017: attributes, creation, end, keys. */

/* Thread-specific data. The number of a deleted key may come back; its values do not: each belongs to an age of
   its key. */
enum { __rely_KEYS = 8, __rely_DESTRUCTOR_ITERATIONS = 4 };

static unsigned __rely_keys; /* how many numbers were used */
static _Bool __rely_any_key_deleted;
static _Bool __rely_key_deleted[__rely_KEYS];
static unsigned __rely_key_age[__rely_KEYS];
static void (*__rely_destructor[__rely_KEYS])(void *);
static __thread void *__rely_value[__rely_KEYS];
static __thread unsigned __rely_value_age[__rely_KEYS];

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    __VERIFIER_atomic_begin();
    unsigned k = __rely_keys;
    if (__rely_any_key_deleted)
        for (unsigned i = 0; i < __rely_keys; i++)
            if (__rely_key_deleted[i] && __rely_nondet_bool()) k = i;
    if (k == __rely_KEYS) __rely_unsupported("more than 8 keys of thread-specific data");
    if (k < __rely_keys) {
        __rely_key_deleted[k] = 0;
        __rely_key_age[k]++;
    } else {
        __rely_keys = k + 1;
    }
    __rely_destructor[k] = destructor;
    __VERIFIER_atomic_end();
    *key = k;
    return 0;
}

int pthread_key_delete(unsigned key)
{
    __VERIFIER_atomic_begin();
    if (key >= __rely_keys || __rely_key_deleted[key]) __rely_undefined("invalid_key");
    __rely_any_key_deleted = 1;
    __rely_key_deleted[key] = 1;
    __rely_destructor[key] = 0;
    __VERIFIER_atomic_end();
    return 0;
}

void *pthread_getspecific(unsigned key)
{
    if (key >= __rely_keys || __rely_key_deleted[key]) __rely_undefined("invalid_key");
    return __rely_value_age[key] == __rely_key_age[key] ? __rely_value[key] : 0;
}

int pthread_setspecific(unsigned key, const void *value)
{
    if (key >= __rely_keys || __rely_key_deleted[key]) __rely_undefined("invalid_key");
    __rely_value[key] = (void *)value;
    __rely_value_age[key] = __rely_key_age[key];
    return 0;
}

/* Destructors run in an unspecified order, in rounds, because a destructor may
   set values again. */
static void __rely_run_destructors(void)
{
    for (int round = 0; round < __rely_DESTRUCTOR_ITERATIONS; round++) {
        unsigned called = 0; /* the keys of this round, as bits */
        for (;;) {
            int chosen = -1;
            for (unsigned k = 0; k < __rely_keys; k++)
                if (!(called >> k & 1) && __rely_value[k] && __rely_destructor[k]
                    && __rely_value_age[k] == __rely_key_age[k] && (chosen < 0 || __rely_nondet_bool()))
                    chosen = (int)k;
            if (chosen < 0) break;
            void *value = __rely_value[chosen];
            void (*destructor)(void *) = __rely_destructor[chosen];
            called |= 1u << chosen;
            __rely_value[chosen] = 0;
            if (destructor) destructor(value); /* the key may just have been deleted */
        }
        if (called == 0) break;
    }
}

/* Cleanup handlers. The macro of glibc jumps back to them with what it calls
   here; that a handler is pushed reaches us as a call of
   `__rely_push_cleanup` (see `sema/cleanup.rs`). */
enum { __rely_CLEANUPS = 8 };

struct __rely_cleanup {
    void (*routine)(void *);
    void *arg;
};

static __thread unsigned __rely_cleanups;
static __thread struct __rely_cleanup __rely_cleanup[__rely_CLEANUPS];

void __rely_push_cleanup(void (*routine)(void *), void *arg)
{
    unsigned n = __rely_cleanups;
    if (n == __rely_CLEANUPS) __rely_unsupported("more than 8 cleanup handlers");
    __rely_cleanup[n].routine = routine;
    __rely_cleanup[n].arg = arg;
    __rely_cleanups = n + 1;
}

int __sigsetjmp_cancel(void *buffer, int save) { return 0; }
void __pthread_register_cancel(void *buffer) { __rely_unsupported("a cleanup handler that is not known"); }
void __pthread_unregister_cancel(void *buffer) { __rely_cleanups--; }
void __pthread_register_cancel_defer(void *buffer) { __rely_unsupported("pthread_cleanup_push_defer_np"); }
void __pthread_unregister_cancel_restore(void *buffer) { __rely_unsupported("pthread_cleanup_pop_restore_np"); }
void __pthread_unwind_next(void *buffer) { __rely_unsupported("unwinding of a thread's stack"); }

static void __rely_abandon_mutexes(void);

/* How a thread ends: its start routine returned, or it calls `pthread_exit`. */
void __rely_thread_end(void *value)
{
    if (__rely_keys) __rely_run_destructors();
    __rely_synchronise();
    __rely_abandon_mutexes();
    __rely_end_thread(value);
}

/* The handlers run, the last one first, before the destructors of keys. */
void pthread_exit(void *value)
{
    while (__rely_cleanups) {
        unsigned n = __rely_cleanups - 1;
        __rely_cleanups = n;
        __rely_cleanup[n].routine(__rely_cleanup[n].arg);
    }
    __rely_thread_end(value);
}

/* Attributes. `kind` is the detach state; 0 is joinable, 1 is detached. */
struct __rely_type_pthread_attr_t {
    int kind;
    unsigned long stack_size;
    unsigned long guard_size;
};
typedef struct __rely_type_pthread_attr_t __rely_attr;

int pthread_attr_init(__rely_attr *a)
{
    a->kind = 0;
    a->stack_size = 8388608;
    a->guard_size = 4096;
    return 0;
}

int pthread_attr_destroy(__rely_attr *a)
{
    a->kind = -1;
    return 0;
}

int pthread_attr_setdetachstate(__rely_attr *a, int state)
{
    if ((unsigned)state > 1) return __rely_EINVAL;
    a->kind = state;
    return 0;
}

int pthread_attr_getdetachstate(const __rely_attr *a, int *state)
{
    *state = a->kind;
    return 0;
}

int pthread_attr_setstacksize(__rely_attr *a, unsigned long size)
{
    if (size < 16384) return __rely_EINVAL;
    a->stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const __rely_attr *a, unsigned long *size)
{
    *size = a->stack_size;
    return 0;
}

int pthread_attr_setguardsize(__rely_attr *a, unsigned long size)
{
    a->guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const __rely_attr *a, unsigned long *size)
{
    *size = a->guard_size;
    return 0;
}

/* Scheduling and placement change no safety property. */
int pthread_attr_setstack(__rely_attr *a, void *stack, unsigned long size) { return 0; }
int pthread_attr_setscope(__rely_attr *a, int scope) { return 0; }
int pthread_attr_setinheritsched(__rely_attr *a, int inherit) { return 0; }
int pthread_attr_setschedpolicy(__rely_attr *a, int policy) { return 0; }
int pthread_attr_setschedparam(__rely_attr *a, const void *parameters) { return 0; }
int pthread_attr_setaffinity_np(__rely_attr *a, unsigned long size, const void *set) { return 0; }
int pthread_setschedparam(unsigned long id, int policy, const void *parameters) { return 0; }
int pthread_setschedprio(unsigned long id, int priority) { return 0; }
int pthread_setaffinity_np(unsigned long id, unsigned long size, const void *set) { return 0; }
int pthread_setconcurrency(int level) { return 0; }
int pthread_setname_np(unsigned long id, const char *name) { return 0; }
int pthread_sigmask(int how, const void *set, void *old)
{
    if (old) __rely_unsupported("reading the signal mask");
    return 0;
}

/* The new thread may run before its id is stored: POSIX does not order these. */
int pthread_create(unsigned long *id, const __rely_attr *a, void *(*start)(void *), void *arg)
{
    if (__rely_creation_may_fail()) return __rely_EAGAIN;
    unsigned long new = __rely_spawn(start, arg);
    if (a && a->kind == 1) __rely_detach(new);
    *id = new;
    return 0;
}

static int __rely_join_thread(unsigned long id, void **result)
{
    if (id == (unsigned long)__rely_self()) __rely_undefined("self_join");
    void *value = __rely_join(id);
    if (!result) return 0;
    if (__rely_result_is_narrow(id))
        __rely_unsupported("the result of a thread whose start routine does not return a pointer");
    *result = value;
    return 0;
}

int pthread_join(unsigned long id, void **result)
{
    __rely_cancellation_point();
    return __rely_join_thread(id, result);
}

int pthread_tryjoin_np(unsigned long id, void **result)
{
    if (__rely_fails_without_cause() || !__rely_ended(id)) return __rely_EBUSY;
    return __rely_join_thread(id, result);
}

int pthread_timedjoin_np(unsigned long id, void **result, const struct __librely_timespec *until)
{
    __rely_cancellation_point();
    if (__rely_fails_without_cause() || !__rely_ended(id)) {
        if (__rely_bad_time(until)) return __rely_EINVAL;
        if (__rely_deadlocks_count()) __rely_unsupported("deadlocks where a wait has a time limit");
        if (__rely_nondet_bool()) return __rely_ETIMEDOUT;
    }
    return __rely_join_thread(id, result);
}

int pthread_clockjoin_np(unsigned long id, void **result, int clock,
                         const struct __librely_timespec *until)
{
    if ((unsigned)clock > 1) return __rely_EINVAL;
    return pthread_timedjoin_np(id, result, until);
}

int pthread_detach(unsigned long id)
{
    __rely_detach(id);
    return 0;
}

unsigned long pthread_self(void) { return (unsigned long)__rely_self(); }
int pthread_equal(unsigned long a, unsigned long b) { return a == b; }
int pthread_yield(void) { return 0; }
int sched_yield(void) { return 0; }

/* Cancellation, deferred: a thread ends at its next cancellation point. */
enum { __rely_CANCELLABLE = 16 }; /* threads with smaller ids */

static _Bool __rely_cancel_pending[__rely_CANCELLABLE];
static _Bool __rely_cancels_asynchronously;
static __thread int __rely_cancel_state;
static __thread int __rely_cancel_type;

int pthread_cancel(unsigned long id)
{
    __rely_note_cancel();
    if (__rely_deadlocks_count()) __rely_unsupported("deadlocks of threads that are cancelled");
    if (__rely_cancels_asynchronously) __rely_unsupported("asynchronous cancellation");
    if (id >= __rely_CANCELLABLE) __rely_unsupported("pthread_cancel with so many threads");
    __rely_cancel_pending[id] = 1;
    return 0;
}

/* From here on the thread ends and is not cancelled again. */
void __rely_act_on_cancel(void)
{
    __rely_cancel_state = 1;
    pthread_exit((void *)-1L);
}

/* Is this thread cancelled here? To wait until somebody does it is to come late
   or to be cancelled while one waits. */
int __rely_cancelled_in_wait(void)
{
    __rely_thread self = __rely_self();
    if (__rely_cancel_state || self >= __rely_CANCELLABLE) return 0;
    _Bool *pending = &__rely_cancel_pending[self];
    if (__rely_nondet_bool()) {
        __rely_await(*pending);
        __VERIFIER_atomic_end();
        return 1;
    }
    return 0;
}

/* Who is cancelled already does not go on. */
void __rely_cancellation_point(void)
{
    if (__rely_cancelled_in_wait()) __rely_act_on_cancel();
    if (!__rely_cancel_state && __rely_self() < __rely_CANCELLABLE)
        __VERIFIER_assume(!__rely_cancel_pending[__rely_self()]);
}

/* Where POSIX leaves open whether it is one. */
void __rely_possible_cancellation_point(void)
{
    if (__rely_cancelled_in_wait()) __rely_act_on_cancel();
}

void pthread_testcancel(void) { __rely_cancellation_point(); }

int pthread_setcancelstate(int state, int *old)
{
    if ((unsigned)state > 1) return __rely_EINVAL;
    if (old) *old = __rely_cancel_state;
    __rely_cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if ((unsigned)type > 1) return __rely_EINVAL;
    if (type == 1) {
        __rely_thread self = __rely_self();
        __rely_cancels_asynchronously = 1;
        if (self < __rely_CANCELLABLE && __rely_cancel_pending[self])
            __rely_unsupported("asynchronous cancellation");
    }
    if (old) *old = __rely_cancel_type;
    __rely_cancel_type = type;
    return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    __rely_unsupported("pthread_atfork");
}

int pthread_kill(unsigned long id, int signal) { __rely_unsupported("pthread_kill"); }
int pthread_getcpuclockid(unsigned long id, int *clock) { __rely_unsupported("pthread_getcpuclockid"); }
