//EXPECT: SAFE
// TryAcquireSRWLockExclusive holds the lock if it says so.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
typedef struct { void *p; } SRWLOCK;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
_Bool TryAcquireSRWLockExclusive(SRWLOCK *);
_Bool TryAcquireSRWLockShared(SRWLOCK *);
void ReleaseSRWLockExclusive(SRWLOCK *);
void ReleaseSRWLockShared(SRWLOCK *);
void ExitThread(DWORD);

SRWLOCK lock;
int a, b;

DWORD worker(void *arg)
{
    if (!TryAcquireSRWLockShared(&lock)) ExitThread(0);
    assert(a == b);
    ReleaseSRWLockShared(&lock);
    return 0;
}

int main(void)
{
    CreateThread(0, 0, worker, 0, 0, 0);
    if (!TryAcquireSRWLockExclusive(&lock)) return 0;
    a = 1;
    b = 1;
    ReleaseSRWLockExclusive(&lock);
    return 0;
}
