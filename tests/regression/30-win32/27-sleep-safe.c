//EXPECT: SAFE
// Both kinds of sleeping wait with the lock released and hold it again; the waiter tests in a loop.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
typedef struct { void *p; long l[4]; } CRITICAL_SECTION;
typedef struct { void *p; } SRWLOCK;
typedef struct { void *p; } CONDITION_VARIABLE;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
int InitializeCriticalSectionAndSpinCount(CRITICAL_SECTION *, DWORD);
void EnterCriticalSection(CRITICAL_SECTION *);
int TryEnterCriticalSection(CRITICAL_SECTION *);
void LeaveCriticalSection(CRITICAL_SECTION *);
void DeleteCriticalSection(CRITICAL_SECTION *);
void InitializeSRWLock(SRWLOCK *);
void AcquireSRWLockExclusive(SRWLOCK *);
void ReleaseSRWLockExclusive(SRWLOCK *);
void InitializeConditionVariable(CONDITION_VARIABLE *);
void WakeConditionVariable(CONDITION_VARIABLE *);
void WakeAllConditionVariable(CONDITION_VARIABLE *);
int SleepConditionVariableCS(CONDITION_VARIABLE *, CRITICAL_SECTION *, DWORD);
int SleepConditionVariableSRW(CONDITION_VARIABLE *, SRWLOCK *, DWORD, DWORD);
DWORD WaitForSingleObject(HANDLE, DWORD);

CRITICAL_SECTION s;
SRWLOCK l;
CONDITION_VARIABLE c, d;
int started, ready, data;

DWORD worker(void *arg)
{
    EnterCriticalSection(&s);
    started = 1;
    WakeConditionVariable(&d);
    LeaveCriticalSection(&s);
    AcquireSRWLockExclusive(&l);
    data = 42;
    ready = 1;
    WakeAllConditionVariable(&c);
    ReleaseSRWLockExclusive(&l);
    return 0;
}

int main(void)
{
    assert(InitializeCriticalSectionAndSpinCount(&s, 100));
    InitializeSRWLock(&l);
    InitializeConditionVariable(&c);
    InitializeConditionVariable(&d);
    HANDLE t = CreateThread(0, 0, worker, 0, 0, 0);
    if (TryEnterCriticalSection(&s)) {
        while (!started) SleepConditionVariableCS(&d, &s, 0xffffffff);
        LeaveCriticalSection(&s);
    }
    AcquireSRWLockExclusive(&l);
    while (!ready) SleepConditionVariableSRW(&c, &l, 0xffffffff, 0);
    assert(data == 42);
    ReleaseSRWLockExclusive(&l);
    WaitForSingleObject(t, 0xffffffff);
    DeleteCriticalSection(&s);
}
