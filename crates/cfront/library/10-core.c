/* The library of models: what the functions of POSIX, C and WIN32 do, in C.
   This part: the intrinsics that the lowering executes, error numbers, helpers.

   The files are one translation unit, in the order of their names, and are not
   preprocessed. A definition of the user's replaces the one here. Conventions:
   - Blocking is `__rely_await`, so that a blocked thread takes no steps.
   - A function is one atomic section where the standard makes it atomic; what
     the standard leaves open is `__rely_nondet_...`.
   - Resources suffice, unless the user wants them to run out: then allocation and the
     creation of threads may fail. No signals arrive, so nothing ends with EINTR.
   - An object that is all zero is initialised, with default attributes. After
     its `destroy` its kind is -1; its use is undefined behaviour from then on. `initialised`
     is 0 where its life begins, also in memory that has any value otherwise: who calls
     its `init` twice is noticed (but not who does so after an initialiser, or zeros).
   - Only safety counts, unless deadlocks are asked for: a thread that is blocked, starved or
     stopped for ever is the same to us. Where a standard says "may block or return an error",
     we return the error, because blocking adds no reachable state. */

/* Wide, since there may be any number of threads: nobody else has one's number. */
typedef long long __rely_thread;
__rely_thread __rely_self(void);
void __rely_await(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);
int __rely_nondet_int(void);
_Bool __rely_nondet_bool(void);
_Bool __rely_creation_may_fail(void); /* as the user has chosen */
_Bool __rely_fails_without_cause(void); /* may an attempt to take a lock fail for no reason? (`Choices::attempts_fail`) */
_Bool __rely_deadlocks_count(void);   /* is it asked whether threads can wait for ever? */
_Bool __rely_waiters_count(void);     /* is it, or can a condition variable be destroyed? */
void __rely_note_destroyed_condition(void);
unsigned long __rely_spawn(void *(*start)(void *), void *arg);
void *__rely_join(unsigned long id);
int __rely_ended(unsigned long id);
void __rely_await_end(unsigned long id);
int __rely_result_is_narrow(unsigned long id); /* is what its routine returns less than a pointer? */
void __rely_detach(unsigned long id);
void *__rely_variable_array(unsigned long size); /* what `T a[n]` becomes */
void __rely_end_thread(void *value) __attribute__((noreturn));
void __rely_halt(void) __attribute__((noreturn));
void __rely_at_exit(void); /* the functions with the attribute `destructor`, in order */
void __rely_at_end(void); /* where it is asked whether memory is lost */
void __rely_undefined(const char *kind) /* the short name of an `Undefined` of ccfa */ __attribute__((noreturn));
/* The next access to an object of the library's own is this operation of a lock. */
void __rely_lock(const char *operation);
void __rely_fence(int order);
void __rely_synchronise(void); /* a fence, if another memory model than sequential consistency is asked for: where no lock says so */
void __rely_signal_fence(int order);
void __rely_unsupported(const char *what) __attribute__((noreturn));
void __rely_error(const char *what) __attribute__((noreturn));

/* Cancellation (see 40-threads.c). These do nothing in programs that cancel no
   thread: the lowering then leaves them out. */
void __rely_note_cancel(void); /* an intrinsic: this program cancels threads */
void __rely_cancellation_point(void);
void __rely_possible_cancellation_point(void);
int __rely_cancelled_in_wait(void);
void __rely_act_on_cancel(void);

/* Linux's error numbers. */
enum {
    __rely_EPERM = 1,
    __rely_ESRCH = 3,
    __rely_EAGAIN = 11,
    __rely_EBUSY = 16,
    __rely_EINVAL = 22,
    __rely_EDEADLK = 35,
    __rely_EOVERFLOW = 75,
    __rely_ENOTSUP = 95,
    __rely_ETIMEDOUT = 110
};

static __thread int __rely_errno;

/* What the macro `errno` of glibc calls. */
int *__errno_location(void) { return &__rely_errno; }

/* Fails as functions do that report by `errno`. */
static int __rely_fail(int error)
{
    __rely_errno = error;
    return -1;
}

/* The user's, by another name: not of the library's own types, so accesses to it are accesses of the program. */
struct __librely_timespec {
    long seconds;
    long nanoseconds;
};

static int __rely_bad_time(const struct __librely_timespec *time)
{
    long nanoseconds = time->nanoseconds;
    return nanoseconds < 0 || nanoseconds >= 1000000000;
}

static long __rely_nondet_long(void)
{
    unsigned long high = (unsigned)__rely_nondet_int();
    unsigned long low = (unsigned)__rely_nondet_int();
    return (long)(high << 16 << 16 | low); /* two shifts: `long` may have 32 bits */
}

/* A fence changes nothing under sequential consistency: every access is a step. The model
   keeps that it is there. */
void __sync_synchronize(void) { __rely_fence(5); }
void __atomic_thread_fence(int order) { __rely_fence(order); }
void __atomic_signal_fence(int order) { __rely_signal_fence(order); }
void atomic_thread_fence(int order) { __rely_fence(order); }
void atomic_signal_fence(int order) { __rely_signal_fence(order); }
