/* Threads of WIN32. A handle is a number: the id of a thread, or from
   `__rely_OBJECTS_FROM` on an entry of the table of mutexes, events and
   semaphores. BOOL is `int`, DWORD is `unsigned`. */

enum {
    __rely_OBJECTS = 8,
    __rely_OBJECTS_FROM = 1 << 30,
    __rely_WAIT_ABANDONED = 128,
    __rely_WAIT_TIMEOUT = 258
};

enum { __rely_MUTEX = 1, __rely_EVENT = 2, __rely_AUTO_EVENT = 3, __rely_SEMAPHORE = 4 };

struct __rely_object {
    int kind;
    __rely_thread owner;      /* of a mutex; 0: nobody, -1: it ended without a release */
    unsigned count; /* of a mutex: how often it is owned; else: is a wait satisfied? */
    unsigned limit;
};

static unsigned __rely_objects_used;
static struct __rely_object __rely_object[__rely_OBJECTS];

static void *__rely_new_object(int kind, __rely_thread owner, unsigned count, unsigned limit)
{
    __VERIFIER_atomic_begin();
    unsigned i = __rely_objects_used;
    if (i == __rely_OBJECTS) __rely_unsupported("more than 8 mutexes, events and semaphores of WIN32");
    __rely_objects_used = i + 1;
    __rely_object[i].kind = kind;
    __rely_object[i].owner = owner;
    __rely_object[i].count = count;
    __rely_object[i].limit = limit;
    __VERIFIER_atomic_end();
    return (void *)(unsigned long)(__rely_OBJECTS_FROM + i);
}

static struct __rely_object *__rely_find_object(void *handle, int kind)
{
    unsigned long i = (unsigned long)handle - __rely_OBJECTS_FROM;
    if (i >= __rely_objects_used || __rely_object[i].kind != kind)
        __rely_undefined("invalid_handle");
    return &__rely_object[i];
}

void *CreateMutexA(void *security, int owned, const char *name)
{
    if (name) __rely_unsupported("a mutex with a name");
    return __rely_new_object(__rely_MUTEX, owned ? __rely_self() : 0, owned != 0, 0);
}

void *CreateMutexW(void *security, int owned, const void *name) { return CreateMutexA(security, owned, name); }
void *CreateMutex(void *security, int owned, const void *name) { return CreateMutexA(security, owned, name); }

int ReleaseMutex(void *handle)
{
    struct __rely_object *m = __rely_find_object(handle, __rely_MUTEX);
    int success = 0;
    __rely_synchronise();
    __VERIFIER_atomic_begin();
    if (m->owner == __rely_self()) {
        success = 1;
        m->count--;
        if (m->count == 0) m->owner = 0;
    }
    __VERIFIER_atomic_end();
    return success;
}

static void __rely_abandon_mutexes(void)
{
    if (__rely_objects_used == 0) return; /* folded away in programs without such objects */
    for (unsigned i = 0; i < __rely_objects_used; i++)
        if (__rely_object[i].owner == __rely_self()) {
            __VERIFIER_atomic_begin();
            __rely_object[i].count = 0;
            __rely_object[i].owner = -1;
            __VERIFIER_atomic_end();
        }
}

void *CreateEventA(void *security, int manual, int set, const char *name)
{
    if (name) __rely_unsupported("an event with a name");
    return __rely_new_object(manual ? __rely_EVENT : __rely_AUTO_EVENT, 0, set != 0, 1);
}

void *CreateEventW(void *security, int manual, int set, const void *name) { return CreateEventA(security, manual, set, name); }
void *CreateEvent(void *security, int manual, int set, const void *name) { return CreateEventA(security, manual, set, name); }

static int __rely_put_event(void *handle, unsigned set)
{
    unsigned long i = (unsigned long)handle - __rely_OBJECTS_FROM;
    if (i >= __rely_objects_used
        || (__rely_object[i].kind != __rely_EVENT && __rely_object[i].kind != __rely_AUTO_EVENT))
        __rely_undefined("invalid_handle");
    __rely_synchronise();
    __rely_object[i].count = set;
    return 1;
}

int SetEvent(void *handle) { return __rely_put_event(handle, 1); }
int ResetEvent(void *handle) { return __rely_put_event(handle, 0); }
int PulseEvent(void *handle) { __rely_unsupported("PulseEvent"); }

void *CreateSemaphoreA(void *security, int count, int limit, const char *name)
{
    if (name) __rely_unsupported("a semaphore with a name");
    if (limit <= 0 || count < 0 || count > limit) return 0;
    return __rely_new_object(__rely_SEMAPHORE, 0, (unsigned)count, (unsigned)limit);
}

void *CreateSemaphoreW(void *security, int count, int limit, const void *name) { return CreateSemaphoreA(security, count, limit, name); }
void *CreateSemaphore(void *security, int count, int limit, const void *name) { return CreateSemaphoreA(security, count, limit, name); }

int ReleaseSemaphore(void *handle, int amount, void *previous)
{
    struct __rely_object *s = __rely_find_object(handle, __rely_SEMAPHORE);
    int success = 0;
    if (previous) __rely_unsupported("ReleaseSemaphore that returns the previous count");
    __rely_synchronise();
    __VERIFIER_atomic_begin();
    if (amount > 0 && (unsigned)amount <= s->limit - s->count) {
        s->count += (unsigned)amount;
        success = 1;
    }
    __VERIFIER_atomic_end();
    return success;
}

/* Threads. The start routine returns a DWORD: the lowering converts it. */
void *CreateThread(void *security, unsigned long stack, unsigned (*start)(void *), void *arg,
                   unsigned flags, unsigned *id)
{
    if (flags & 4) __rely_unsupported("CreateThread with CREATE_SUSPENDED");
    if (__rely_creation_may_fail()) return 0;
    unsigned long new = __rely_spawn((void *(*)(void *))start, arg);
    if (id) *id = (unsigned)new;
    return (void *)new;
}

unsigned long _beginthreadex(void *security, unsigned stack, unsigned (*start)(void *), void *arg,
                             unsigned flags, unsigned *id)
{
    if (flags & 4) __rely_unsupported("_beginthreadex with CREATE_SUSPENDED");
    if (__rely_creation_may_fail()) return 0;
    unsigned long new = __rely_spawn((void *(*)(void *))start, arg);
    if (id) *id = (unsigned)new;
    return new;
}

unsigned long _beginthread(void (*start)(void *), unsigned stack, void *arg)
{
    if (__rely_creation_may_fail()) return -1UL;
    return __rely_spawn((void *(*)(void *))start, arg);
}

void ExitThread(unsigned result) { __rely_thread_end((void *)(unsigned long)result); }
void _endthreadex(unsigned result) { __rely_thread_end((void *)(unsigned long)result); }
void _endthread(void) { __rely_thread_end(0); }
int TerminateThread(void *handle, unsigned result) { __rely_unsupported("TerminateThread"); }
unsigned SuspendThread(void *handle) { __rely_unsupported("SuspendThread"); }
unsigned ResumeThread(void *handle) { __rely_unsupported("ResumeThread"); }
int GetExitCodeThread(void *handle, void *code) { __rely_unsupported("GetExitCodeThread"); }
unsigned GetCurrentThreadId(void) { return (unsigned)__rely_self(); }
int SwitchToThread(void) { return __rely_nondet_bool(); }
void Sleep(unsigned milliseconds) {}
int CloseHandle(void *handle) { return 1; }
int SetThreadPriority(void *handle, int priority) { return 1; }

/* A thread's handle can be waited for more than once, so this is no join. */
unsigned WaitForSingleObject(void *handle, unsigned milliseconds)
{
    unsigned long n = (unsigned long)handle;
    unsigned result = 0;
    __rely_synchronise();
    if (n < __rely_OBJECTS_FROM) {
        if (milliseconds != 0xffffffffu) return __rely_ended(n) ? 0 : __rely_WAIT_TIMEOUT;
        __rely_await_end(n);
        return 0;
    }
    if (n - __rely_OBJECTS_FROM >= __rely_objects_used) __rely_undefined("invalid_wait_handle");
    struct __rely_object *o = &__rely_object[n - __rely_OBJECTS_FROM];
    __rely_thread self = __rely_self();
    if (milliseconds != 0xffffffffu && __rely_deadlocks_count())
        __rely_unsupported("deadlocks where a wait has a time limit");
    if (milliseconds != 0xffffffffu && __rely_nondet_bool()) {
        /* It gives up, but only if it could not go on at that moment. */
        __VERIFIER_atomic_begin();
        int free = o->kind == __rely_MUTEX ? o->owner <= 0 || o->owner == self : o->count > 0;
        __VERIFIER_atomic_end();
        __VERIFIER_assume(!free);
        return __rely_WAIT_TIMEOUT;
    }
    __rely_await((o->kind == __rely_MUTEX && (o->owner <= 0 || o->owner == self))
                 || (o->kind != __rely_MUTEX && o->count > 0));
    if (o->kind == __rely_MUTEX) {
        if (o->owner < 0) result = __rely_WAIT_ABANDONED;
        o->owner = self;
        o->count++;
    } else if (o->kind != __rely_EVENT) {
        o->count--;
    }
    __VERIFIER_atomic_end();
    return result;
}

/* For threads only: to take several mutexes at once is another matter. */
unsigned WaitForMultipleObjects(unsigned count, void *const *handles, int all, unsigned milliseconds)
{
    unsigned ended = 0;
    unsigned first = count;
    if (__rely_deadlocks_count()) __rely_unsupported("deadlocks and WaitForMultipleObjects");
    __rely_synchronise();
    for (unsigned i = 0; i < count; i++)
        if ((unsigned long)handles[i] >= __rely_OBJECTS_FROM)
            __rely_unsupported("WaitForMultipleObjects for other objects than threads");
    __VERIFIER_atomic_begin();
    for (unsigned i = count; i > 0; i--)
        if (__rely_ended((unsigned long)handles[i - 1])) {
            ended++;
            first = i - 1;
        }
    __VERIFIER_atomic_end();
    if (all ? ended == count : ended > 0) return all ? 0 : first;
    __VERIFIER_assume(milliseconds != 0xffffffffu);
    return __rely_WAIT_TIMEOUT;
}

/* Critical sections are recursive. */
struct __rely_type_CRITICAL_SECTION {
    int kind;
    __rely_thread owner;
    unsigned again;
};
typedef struct __rely_type_CRITICAL_SECTION __rely_section;

void InitializeCriticalSection(__rely_section *s)
{
    __VERIFIER_atomic_begin();
    s->kind = 0;
    s->owner = 0;
    s->again = 0;
    __VERIFIER_atomic_end();
}

int InitializeCriticalSectionAndSpinCount(__rely_section *s, unsigned spins)
{
    InitializeCriticalSection(s);
    return 1;
}

void DeleteCriticalSection(__rely_section *s)
{
    __VERIFIER_atomic_begin();
    if (s->owner) __rely_undefined("section_deleted_locked");
    if (s->kind < 0) __rely_undefined("section_deleted_twice");
    s->kind = -1;
    __VERIFIER_atomic_end();
}

void EnterCriticalSection(__rely_section *s)
{
    __rely_thread self = __rely_self();
    __rely_await(s->owner == 0 || s->owner == self);
    if (s->kind < 0) __rely_undefined("section_deleted");
    if (s->owner)
        s->again++;
    else {
        __rely_lock("acquire");
        s->owner = self;
    }
    __VERIFIER_atomic_end();
}

int TryEnterCriticalSection(__rely_section *s)
{
    __rely_thread self = __rely_self();
    int success = 1;
    if (__rely_fails_without_cause()) return 0;
    __VERIFIER_atomic_begin();
    if (s->kind < 0) __rely_undefined("section_deleted");
    if (s->owner == 0) {
        __rely_lock("acquire");
        s->owner = self;
    }
    else if (s->owner == self)
        s->again++;
    else
        success = 0;
    __VERIFIER_atomic_end();
    return success;
}

void LeaveCriticalSection(__rely_section *s)
{
    __VERIFIER_atomic_begin();
    if (s->owner != __rely_self()) __rely_undefined("section_not_held");
    if (s->again)
        s->again--;
    else {
        __rely_lock("release");
        s->owner = 0;
    }
    __VERIFIER_atomic_end();
}

/* Slim locks are not recursive: to acquire one's own lock blocks for ever. */
struct __rely_type_SRWLOCK {
    int kind;
    __rely_thread writer;
    unsigned readers;
};
typedef struct __rely_type_SRWLOCK __rely_slim;

void InitializeSRWLock(__rely_slim *l)
{
    __VERIFIER_atomic_begin();
    l->kind = 0;
    l->writer = 0;
    l->readers = 0;
    __VERIFIER_atomic_end();
}

void AcquireSRWLockExclusive(__rely_slim *l)
{
    __rely_await(l->writer == 0 && l->readers == 0);
    __rely_lock("acquire");
    l->writer = __rely_self();
    __VERIFIER_atomic_end();
}

void AcquireSRWLockShared(__rely_slim *l)
{
    __rely_await(l->writer == 0);
    __rely_lock("acquire_shared");
    l->readers++;
    __VERIFIER_atomic_end();
}

_Bool TryAcquireSRWLockExclusive(__rely_slim *l)
{
    _Bool success = 0;
    if (__rely_fails_without_cause()) return 0;
    __VERIFIER_atomic_begin();
    if (l->writer == 0 && l->readers == 0) {
        __rely_lock("acquire");
        l->writer = __rely_self();
        success = 1;
    }
    __VERIFIER_atomic_end();
    return success;
}

_Bool TryAcquireSRWLockShared(__rely_slim *l)
{
    _Bool success = 0;
    if (__rely_fails_without_cause()) return 0;
    __VERIFIER_atomic_begin();
    if (l->writer == 0) {
        __rely_lock("acquire_shared");
        l->readers++;
        success = 1;
    }
    __VERIFIER_atomic_end();
    return success;
}

void ReleaseSRWLockExclusive(__rely_slim *l)
{
    __VERIFIER_atomic_begin();
    if (l->writer != __rely_self()) __rely_undefined("lock_not_held");
    __rely_lock("release");
    l->writer = 0;
    __VERIFIER_atomic_end();
}

void ReleaseSRWLockShared(__rely_slim *l)
{
    __VERIFIER_atomic_begin();
    if (l->readers == 0) __rely_undefined("lock_not_held_shared");
    __rely_lock("release");
    l->readers--;
    __VERIFIER_atomic_end();
}

/* Condition variables: wake-ups may be spurious, as with POSIX. */
struct __rely_type_CONDITION_VARIABLE {
    int kind;
};
typedef struct __rely_type_CONDITION_VARIABLE __rely_condition;

void InitializeConditionVariable(__rely_condition *c) {}
void WakeConditionVariable(__rely_condition *c) {}
void WakeAllConditionVariable(__rely_condition *c) {}

int SleepConditionVariableCS(__rely_condition *c, __rely_section *s, unsigned milliseconds)
{
    if (__rely_deadlocks_count()) __rely_unsupported("deadlocks and SleepConditionVariableCS");
    LeaveCriticalSection(s);
    EnterCriticalSection(s);
    return milliseconds == 0xffffffffu || __rely_nondet_bool();
}

int SleepConditionVariableSRW(__rely_condition *c, __rely_slim *l, unsigned milliseconds, unsigned flags)
{
    if (__rely_deadlocks_count()) __rely_unsupported("deadlocks and SleepConditionVariableSRW");
    if (flags & 1) {
        ReleaseSRWLockShared(l);
        AcquireSRWLockShared(l);
    } else {
        ReleaseSRWLockExclusive(l);
        AcquireSRWLockExclusive(l);
    }
    return milliseconds == 0xffffffffu || __rely_nondet_bool();
}

/* Arithmetic wraps: so it is done on unsigned numbers. LONG is `long` here. */
long InterlockedExchangeAdd(long volatile *p, long amount)
{
    __VERIFIER_atomic_begin();
    long old = *p;
    *p = (long)((unsigned long)old + (unsigned long)amount);
    __VERIFIER_atomic_end();
    return old;
}

long InterlockedIncrement(long volatile *p)
{
    return (long)((unsigned long)InterlockedExchangeAdd(p, 1) + 1);
}

long InterlockedDecrement(long volatile *p)
{
    return (long)((unsigned long)InterlockedExchangeAdd(p, -1) - 1);
}

long InterlockedExchange(long volatile *p, long value)
{
    __VERIFIER_atomic_begin();
    long old = *p;
    *p = value;
    __VERIFIER_atomic_end();
    return old;
}

long InterlockedCompareExchange(long volatile *p, long value, long expected)
{
    __VERIFIER_atomic_begin();
    long old = *p;
    if (old == expected) *p = value;
    __VERIFIER_atomic_end();
    return old;
}

long InterlockedAnd(long volatile *p, long mask)
{
    __VERIFIER_atomic_begin();
    long old = *p;
    *p = old & mask;
    __VERIFIER_atomic_end();
    return old;
}

long InterlockedOr(long volatile *p, long mask)
{
    __VERIFIER_atomic_begin();
    long old = *p;
    *p = old | mask;
    __VERIFIER_atomic_end();
    return old;
}

long InterlockedXor(long volatile *p, long mask)
{
    __VERIFIER_atomic_begin();
    long old = *p;
    *p = old ^ mask;
    __VERIFIER_atomic_end();
    return old;
}

long long InterlockedExchangeAdd64(long long volatile *p, long long amount)
{
    __VERIFIER_atomic_begin();
    long long old = *p;
    *p = (long long)((unsigned long long)old + (unsigned long long)amount);
    __VERIFIER_atomic_end();
    return old;
}

long long InterlockedIncrement64(long long volatile *p)
{
    return (long long)((unsigned long long)InterlockedExchangeAdd64(p, 1) + 1);
}

long long InterlockedDecrement64(long long volatile *p)
{
    return (long long)((unsigned long long)InterlockedExchangeAdd64(p, -1) - 1);
}

long long InterlockedExchange64(long long volatile *p, long long value)
{
    __VERIFIER_atomic_begin();
    long long old = *p;
    *p = value;
    __VERIFIER_atomic_end();
    return old;
}

long long InterlockedCompareExchange64(long long volatile *p, long long value, long long expected)
{
    __VERIFIER_atomic_begin();
    long long old = *p;
    if (old == expected) *p = value;
    __VERIFIER_atomic_end();
    return old;
}

void *InterlockedExchangePointer(void *volatile *p, void *value)
{
    __VERIFIER_atomic_begin();
    void *old = *p;
    *p = value;
    __VERIFIER_atomic_end();
    return old;
}

void *InterlockedCompareExchangePointer(void *volatile *p, void *value, void *expected)
{
    __VERIFIER_atomic_begin();
    void *old = *p;
    if (old == expected) *p = value;
    __VERIFIER_atomic_end();
    return old;
}

void MemoryBarrier(void) {}
