/* Threads of C11 (7.26), with the enumerations of glibc. Other than in POSIX,
   to lock one's own plain mutex is undefined (`mtx_trylock` finds it busy), and
   `mtx_trylock` may fail without cause (C17). */

enum {
    __rely_thrd_success = 0,
    __rely_thrd_busy = 1,
    __rely_thrd_error = 2,
    __rely_thrd_nomem = 3,
    __rely_thrd_timedout = 4
};

/* The start routine returns an `int`: the lowering converts it to a pointer. */
int thrd_create(unsigned long *id, int (*start)(void *), void *arg)
{
    if (__rely_creation_may_fail())
        return __rely_nondet_bool() ? __rely_thrd_nomem : __rely_thrd_error;
    *id = __rely_spawn((void *(*)(void *))start, arg);
    return __rely_thrd_success;
}

int thrd_join(unsigned long id, int *result)
{
    void *value = __rely_join(id);
    if (result) *result = (int)(long)value;
    return __rely_thrd_success;
}

int thrd_detach(unsigned long id)
{
    __rely_detach(id);
    return __rely_thrd_success;
}

void thrd_exit(int result) { __rely_thread_end((void *)(long)result); }
unsigned long thrd_current(void) { return (unsigned long)__rely_self(); }
int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
void thrd_yield(void) {}
int thrd_sleep(const void *duration, void *remaining) { return 0; }

struct __rely_type_mtx_t {
    int kind; /* bit 0: recursive, bit 1: timed */
    __rely_thread owner;
    unsigned again;
    _Bool initialised;
};
typedef struct __rely_type_mtx_t __rely_mtx;

int mtx_init(__rely_mtx *m, int kind)
{
    if ((unsigned)kind > 3) __rely_undefined("mutex_invalid_type");
    __VERIFIER_atomic_begin();
    if (m->initialised) __rely_undefined("initialised_again");
    m->initialised = 1;
    m->kind = kind;
    m->owner = 0;
    m->again = 0;
    __VERIFIER_atomic_end();
    return __rely_thrd_success;
}

void mtx_destroy(__rely_mtx *m)
{
    __VERIFIER_atomic_begin();
    if (m->owner) __rely_undefined("mutex_destroyed_locked");
    if (m->kind < 0) __rely_undefined("mutex_destroyed_twice");
    m->kind = -1;
    m->initialised = 0;
    __VERIFIER_atomic_end();
}

int mtx_lock(__rely_mtx *m)
{
    __rely_thread self = __rely_self();
    __rely_await(m->owner == 0 || m->owner == self);
    if ((unsigned)m->kind > 3) __rely_undefined("mutex_uninitialised");
    if (m->owner == 0) {
        __rely_lock("acquire");
        m->owner = self;
    } else {
        if (!(m->kind & 1)) __rely_undefined("mutex_relocked");
        m->again++;
    }
    __VERIFIER_atomic_end();
    return __rely_thrd_success;
}

int mtx_trylock(__rely_mtx *m)
{
    __rely_thread self = __rely_self();
    int result = __rely_thrd_success;
    if (__rely_nondet_bool()) return __rely_thrd_busy; /* without cause */
    __VERIFIER_atomic_begin();
    if ((unsigned)m->kind > 3) __rely_undefined("mutex_uninitialised");
    if (m->owner == 0) {
        __rely_lock("acquire");
        m->owner = self;
    } else if (m->owner == self && (m->kind & 1)) {
        m->again++;
    } else {
        result = __rely_thrd_busy;
    }
    __VERIFIER_atomic_end();
    return result;
}

int mtx_timedlock(__rely_mtx *m, const struct __librely_timespec *until)
{
    if (!(m->kind & 2)) __rely_undefined("mutex_not_timed");
    if (__rely_deadlocks_count()) __rely_unsupported("deadlocks where a wait has a time limit");
    if (__rely_nondet_bool()) return __rely_thrd_timedout;
    return mtx_lock(m);
}

int mtx_unlock(__rely_mtx *m)
{
    __VERIFIER_atomic_begin();
    if ((unsigned)m->kind > 3) __rely_undefined("mutex_uninitialised");
    if (m->owner != __rely_self())
        __rely_undefined("mutex_not_owned");
    if (m->again)
        m->again--;
    else {
        __rely_lock("release");
        m->owner = 0;
    }
    __VERIFIER_atomic_end();
    return __rely_thrd_success;
}

/* As with POSIX: spurious wake-ups make signals superfluous, unless deadlocks are asked for. */
struct __rely_type_cnd_t {
    __rely_cond condition;
};
typedef struct __rely_type_cnd_t __rely_cnd;

int cnd_init(__rely_cnd *c)
{
    pthread_cond_init(&c->condition, 0);
    return __rely_thrd_success;
}

void cnd_destroy(__rely_cnd *c)
{
    pthread_cond_destroy(&c->condition);
}

int cnd_signal(__rely_cnd *c)
{
    __rely_lock("signal");
    if (c->condition.kind < 0) __rely_undefined("condition_destroyed");
    if (__rely_waiters_count()) __rely_wake(&c->condition, 0);
    return __rely_thrd_success;
}

int cnd_broadcast(__rely_cnd *c)
{
    __rely_lock("broadcast");
    if (c->condition.kind < 0) __rely_undefined("condition_destroyed");
    if (__rely_waiters_count()) __rely_wake(&c->condition, 1);
    return __rely_thrd_success;
}

static int __rely_cnd_wait(__rely_cnd *c, __rely_mtx *m, int may_sleep)
{
    __rely_lock("wait");
    if (c->condition.kind < 0) __rely_undefined("condition_destroyed");
    if (may_sleep && __rely_waiters_count()) {
        __rely_await(c->condition.woken == 0);
        mtx_unlock(m);
        int sleeps = __rely_waits(&c->condition);
        __VERIFIER_atomic_end();
        if (sleeps) __rely_sleep(&c->condition);
    } else {
        mtx_unlock(m);
    }
    return mtx_lock(m);
}

int cnd_wait(__rely_cnd *c, __rely_mtx *m) { return __rely_cnd_wait(c, m, 1); }

int cnd_timedwait(__rely_cnd *c, __rely_mtx *m, const struct __librely_timespec *until)
{
    __rely_cnd_wait(c, m, 0);
    return __rely_nondet_bool() ? __rely_thrd_success : __rely_thrd_timedout;
}

int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value); }

struct __rely_type_once_flag {
    int kind;
};

void call_once(struct __rely_type_once_flag *once, void (*routine)(void))
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
}
